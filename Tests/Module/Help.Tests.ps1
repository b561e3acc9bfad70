BeforeDiscovery {
    $repository = Split-Path -Path (Split-Path -Path $PSScriptRoot)
    $commands = (Import-PowerShellDataFile (Join-Path $repository 'IoBench.psd1')).FunctionsToExport
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Help of <_>' -ForEach $commands {
    BeforeAll {
        $name = $_
        $help = Get-Help $name -Full
    }

    It 'says what it does, with three examples that parse and use parameters that exist' {
        $help.Synopsis | Should -Not -Match '\{\{|^\s*$'
        $help.Synopsis | Should -Not -Match "^$name \["
        $help.examples.example.Count | Should -BeGreaterOrEqual 3
        # A page whose code was lost by a tool still has its titles.
        $help.examples.example | ForEach-Object { $_ | Out-String | Should -Match "(?m)^.*$name" }
        foreach ($block in [regex]::Matches((Get-Content -Raw (Join-Path $repository "docs/en-US/$name.md")), '(?s)```powershell\n(.*?)```').ForEach({ $_.Groups[1].Value })) {
            $problems = $null
            $tree = [System.Management.Automation.Language.Parser]::ParseInput($block, [ref] $null, [ref] $problems)
            $problems | Should -BeNullOrEmpty
            foreach ($call in $tree.FindAll({ $args[0] -is [System.Management.Automation.Language.CommandAst] }, $true)) {
                $command = Get-Command $call.GetCommandName() -Module IoBench -ErrorAction Ignore
                if (-not $command) { continue }
                foreach ($parameter in $call.CommandElements.Where({ $_ -is [System.Management.Automation.Language.CommandParameterAst] })) {
                    { $command.ResolveParameter($parameter.ParameterName) } | Should -Not -Throw -Because $block
                }
            }
        }
    }

    It 'describes every parameter' {
        $common = [System.Management.Automation.PSCmdlet]::CommonParameters + [System.Management.Automation.PSCmdlet]::OptionalCommonParameters
        $page = Get-Content -Raw (Join-Path $repository "docs/en-US/$name.md")
        foreach ($parameter in (Get-Command $name).Parameters.Keys | Where-Object { $_ -notin $common }) {
            $page | Should -Match "(?m)^### -$parameter\s+[A-Z``@']"
        }
        $page | Should -Not -Match '\{\{'
    }
}

Describe 'about_IoBench' {
    It 'is there' {
        Test-Path (Join-Path $repository 'en-US' 'about_IoBench.help.txt') | Should -BeTrue
    }
}
