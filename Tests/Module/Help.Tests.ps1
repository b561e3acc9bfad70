# The source of the help is docs/en-US, so most tests read the Markdown and run on every machine.
# Only the tests of Get-Help need en-US/IoBench-Help.xml, which build.ps1 makes with Microsoft.PowerShell.PlatyPS.
BeforeDiscovery {
    $repository = Split-Path -Path (Split-Path -Path $PSScriptRoot)
    $commands = (Import-PowerShellDataFile (Join-Path $repository 'IoBench.psd1')).ForEach({ $_.CmdletsToExport })
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $tables = @{
        'Invoke-IoTest' = 'Run'; 'Measure-IoLimit' = 'LimitSearch', 'LimitTest'; 'Find-IoCap' = 'Cap'; 'New-IoTestSpecification' = 'Specification'; 'Invoke-IoFleet' = 'FleetLead', 'FleetTests'
        'Test-IoIntegrity' = 'Verify', 'AfterCrash'; 'Watch-IoFailover' = 'Drill'; 'Measure-IoCommit' = 'Commit'; 'Import-SqlErrorLog' = 'ErrorLog'; 'Find-IoLatency' = 'LatencySource'; 'Find-IoStorage' = 'Advice'; 'Test-IoHost' = 'Check'; 'Measure-IoSaturation' = 'Saturation'; 'Test-IoResult' = 'Judging', 'Rules', 'AnalysisReport'; 'Export-IoReport' = 'Report'
        'Compare-IoResult' = 'Comparison'; 'Get-IoHistory' = 'History'
    }

    function Get-OptionDefault {
        <# Rows of the option tables that are parameters of a cmdlet and have a default. #>
        param([string] $Command)

        $tables[$Command].ForEach({ [IoBench.Application.OptionTables]::$_ }).Where({ $_.Default -and (Get-Command $Command).Parameters.ContainsKey($_.Name) })
    }

    function Get-PageSection {
        <# Text between a heading of a page and the next heading of the same or a higher level. #>
        param([string] $Page, [string] $Heading)

        $level = $Heading.IndexOf(' ')
        $found = [regex]::Match($Page, "(?ms)^$([regex]::Escape($Heading))\s*?\n(?<text>.*?)(?=^#{1,$level} |\z)")
        $found.Success ? $found.Groups['text'].Value.Trim() : $null
    }
}

Describe 'Help topic of <_>' -ForEach $commands {
    BeforeAll {
        $name = $_
        $page = [System.IO.File]::ReadAllText((Join-Path $repository 'docs' 'en-US' "$name.md"))
    }

    It 'has a synopsis' {
        $synopsis = Get-PageSection $page '## SYNOPSIS'
        $synopsis | Should -Not -BeNullOrEmpty
        $synopsis | Should -Not -Match "\{\{|^$name "
    }

    It 'has three examples that parse and use existing parameters' {
        $examples = [regex]::Matches((Get-PageSection $page '## EXAMPLES'), '(?ms)^### Example (?<text>.*?)(?=^### |\z)').ForEach({ $_.Groups['text'].Value })
        $examples.Count | Should -BeGreaterOrEqual 3
        foreach ($example in $examples) {
            $example | Should -Match '(?m)^```'
            $example | Should -Match $name
        }
        foreach ($block in [regex]::Matches($page, '(?s)```powershell\n(.*?)```').ForEach({ $_.Groups[1].Value })) {
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

    It 'has the defaults of the option tables' {
        foreach ($row in Get-OptionDefault $name) {
            $default = [regex]::Match((Get-PageSection $page "### -$($row.Name)"), '(?m)^DefaultValue: (?<value>.*)$').Groups['value'].Value.Trim().Trim("'")
            $default | Should -Be $row.Default -Because $row.Name
        }
    }

    It 'describes the output' {
        $returned = Get-PageSection $page '## OUTPUTS'
        $returned | Should -Not -Match 'What the cmdlet puts out'
        $returned.Length | Should -BeGreaterThan 10
    }

    It 'has the address that Get-Help -Online opens' {
        $address = ([xml](Get-Content -Raw (Join-Path $repository 'Directory.Build.props'))).Project.PropertyGroup.HelpRoot.'#text' + $name
        $address | Should -Match '^https://'
        (Get-Command $name).HelpUri | Should -Be $address
        $page | Should -Match "(?m)^HelpUri: $([regex]::Escape($address))$"
    }

    It 'shows the syntax of the cmdlet' {
        $line = $page -replace '\s+', ' '
        foreach ($set in (Get-Command $name).ParameterSets) {
            $syntax = "$name $set" -replace ' \[<CommonParameters>\]$'
            $line.Contains("$syntax [<CommonParameters>]") | Should -BeTrue -Because "the set $($set.Name) is $set"
        }
    }

    It 'has a description of at most four paragraphs, and types of inputs and outputs' {
        @((Get-PageSection $page '## DESCRIPTION') -split '\n\n').Count | Should -BeLessOrEqual 4
        Get-PageSection $page '## INPUTS' | Should -Match '(?m)^### (None|[\w.]+(\[\])?)$'
        Get-PageSection $page '## OUTPUTS' | Should -Match '(?m)^### (None|[\w.]+(\[\])?)$'
    }

    It 'has related links to existing topics, with about_IoBench' {
        $links = [regex]::Matches((Get-PageSection $page '## RELATED LINKS'), '(?m)^- \[(?<name>[\w-]+)\]\((?<file>[\w-]+\.md)\)$')
        $links.Count | Should -BeGreaterOrEqual 2
        $links.ForEach({ $_.Groups['name'].Value }) | Should -Contain 'about_IoBench'
        foreach ($link in $links) {
            $link.Groups['file'].Value | Should -Be "$($link.Groups['name'].Value).md"
            Join-Path $repository 'docs' 'en-US' $link.Groups['file'].Value | Should -Exist
        }
    }

    It 'lists the values and the aliases of each parameter' {
        $hidden = 'Specification', 'StorageSpecification'
        foreach ($parameter in (Get-Command $name).Parameters.Values) {
            $text = Get-PageSection $page "### -$($parameter.Name)"
            if (-not $text) { continue }
            $type = $parameter.ParameterType
            if ($type.IsArray) { $type = $type.GetElementType() }
            $type = [System.Nullable]::GetUnderlyingType($type) ?? $type
            if ($type.IsEnum) { foreach ($value in [enum]::GetNames($type)) { $text | Should -Match "(?m)^- '?$value'?$" -Because $parameter.Name } }
            foreach ($alias in $parameter.Aliases.Where({ $_ -notin $hidden })) { $text | Should -Match "(?m)^- $alias$" -Because $parameter.Name }
        }
    }

    It 'describes every parameter' {
        $common = [System.Management.Automation.PSCmdlet]::CommonParameters + [System.Management.Automation.PSCmdlet]::OptionalCommonParameters
        foreach ($parameter in (Get-Command $name).Parameters.Keys | Where-Object { $_ -notin $common }) {
            $page | Should -Match "(?m)^### -$parameter\s+[A-Z``@']"
        }
        $page | Should -Not -Match '\{\{'
    }
}

Describe 'Help topic of Test-IoResult' {
    It 'lists every key of a rule' {
        $page = [System.IO.File]::ReadAllText((Join-Path $repository 'docs' 'en-US' 'Test-IoResult.md'))
        foreach ($key in [IoBench.Analysis.IoRule].GetProperties().Where({ $_.CanWrite }).Name) { Get-PageSection $page '### -Rule' | Should -Match "\b$key\b" }
    }
}

Describe 'Get-Help <_>' -ForEach $commands {
    BeforeAll {
        $name = $_
        $missing = (Test-Path (Join-Path $repository 'en-US' 'IoBench-Help.xml')) ? $null : 'needs en-US/IoBench-Help.xml, which build.ps1 makes with Microsoft.PowerShell.PlatyPS'
        $help = $missing ? $null : (Get-Help $name -Full)
        $page = [System.IO.File]::ReadAllText((Join-Path $repository 'docs' 'en-US' "$name.md"))
    }

    BeforeEach {
        if ($missing) { Set-ItResult -Skipped -Because $missing }
    }

    It 'shows the synopsis and all examples of the topic' {
        # Emphasis and links of Markdown become plain text, so compare letters and digits only.
        $help.Synopsis -replace '\W' | Should -Be ((Get-PageSection $page '## SYNOPSIS') -replace '\W')
        @($help.examples.example).Count | Should -Be ([regex]::Matches($page, '(?m)^### Example ').Count)
    }

    It 'shows the code of an example as code, without fences' {
        $help.examples.example.code | Should -Not -Match '^\s*$'
        $help.examples | Out-String | Should -Not -Match '```'
        # If a conversion loses the code, the titles remain.
        $help.examples.example | ForEach-Object { $_ | Out-String | Should -Match "(?m)^.*$name" }
    }

    It 'shows the defaults and the output' {
        foreach ($row in Get-OptionDefault $name) {
            "$((Get-Help $name -Parameter $row.Name).defaultValue)" | Should -Be $row.Default -Because $row.Name
        }
        ($help.returnValues | Out-String).Trim().Length | Should -BeGreaterThan 10
    }
}

Describe 'about_IoBench' {
    BeforeAll {
        $about = Get-Content (Join-Path $repository 'en-US' 'about_IoBench.help.txt')
    }

    It 'has the text of docs/en-US/about_IoBench.md' {
        $source = (Get-Content (Join-Path $repository 'docs' 'en-US' 'about_IoBench.md') | Select-Object -Skip 1) -replace '^## '
        $about | Select-Object -Skip 2 | Should -Be $source -Because './build.ps1 -Task Build makes it from there'
    }

    It 'has no line above 80 columns, where a console breaks words' {
        $about | Where-Object Length -GT 80 | Should -BeNullOrEmpty
    }

    It 'names every cmdlet' {
        foreach ($name in (Get-Command -Module IoBench).Name) { "$about" | Should -Match "\b$name\b" }
    }
}
