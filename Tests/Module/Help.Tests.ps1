BeforeDiscovery {
    $repository = Split-Path -Path (Split-Path -Path $PSScriptRoot)
    $commands = (Import-PowerShellDataFile (Join-Path $repository 'IoBench.psd1')).ForEach({ $_.CmdletsToExport })
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
        # Code stands where Get-Help shows code, not in the text with Markdown's fences.
        $help.examples.example.code | Should -Not -Match '^\s*$'
        $help.examples | Out-String | Should -Not -Match '```'
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

    It 'says what holds where a parameter is not given, what comes out, and where the page is' {
        $tables = @{
            'Invoke-IoTest' = 'Run'; 'Measure-IoLimit' = 'LimitSearch', 'LimitTest'; 'Find-IoCap' = 'Cap'; 'New-IoTestSpecification' = 'Specification'; 'Invoke-IoFleet' = 'FleetLead', 'FleetTests'
            'Test-IoIntegrity' = 'Verify', 'AfterCrash'; 'Watch-IoFailover' = 'Drill'; 'Test-IoSelf' = 'SelfTest'; 'Measure-IoSaturation' = 'Saturation'; 'Test-IoResult' = 'Judging', 'Rules'; 'Export-IoReport' = 'Report'
            'Compare-IoResult' = 'Comparison'; 'Get-IoHistory' = 'History'; 'Receive-IoFleet' = 'FleetFetch'
        }[$name]
        foreach ($row in $tables.ForEach({ [IoBench.Application.Options.OptionTables]::$_ }).Where({ $_.Default -and (Get-Command $name).Parameters.ContainsKey($_.Name) })) {
            "$((Get-Help $name -Parameter $row.Name).defaultValue)" | Should -Be $row.Default -Because $row.Name
        }
        $returned = $help.returnValues | Out-String
        $returned | Should -Not -Match 'What the cmdlet puts out'
        $returned.Trim().Length | Should -BeGreaterThan 10
        $address = ([xml](Get-Content -Raw (Join-Path $repository 'Directory.Build.props'))).Project.PropertyGroup.HelpRoot.'#text' + $name
        $address | Should -Match '^https://'
        (Get-Command $name).HelpUri | Should -Be $address
        (Get-Content -Raw (Join-Path $repository "docs/en-US/$name.md")) | Should -Match "(?m)^HelpUri: $([regex]::Escape($address))$"
    }

    It 'shows the syntax that the cmdlet has' {
        $page = (Get-Content -Raw (Join-Path $repository "docs/en-US/$name.md")) -replace '\s+', ' '
        foreach ($set in (Get-Command $name).ParameterSets) { $page.Contains("$name $set" -replace ' \[<CommonParameters>\]$') | Should -BeTrue -Because "the set $($set.Name) is $set" }
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

    It 'fits a console of 80 columns, which breaks longer lines inside words' {
        Get-Content (Join-Path $repository 'en-US' 'about_IoBench.help.txt') | Where-Object Length -GT 80 | Should -BeNullOrEmpty
    }

    It 'names every cmdlet' {
        $about = Get-Content -Raw (Join-Path $repository 'en-US' 'about_IoBench.help.txt')
        foreach ($name in (Get-Command -Module IoBench).Name) { $about | Should -Match "\b$name\b" }
    }
}
