BeforeDiscovery {
    $letters = [string[]][char[]](97..122 + 65..90)
    $null = $letters
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $guides = @{}
    foreach ($name in 'from-sqlio', 'from-diskspd', 'reading-results', 'sweeps', 'sql-agent', 'fleet', 'first-ten-minutes') { $guides[$name] = [System.IO.File]::ReadAllText((Get-ChildItem (Join-Path $repository 'docs') -Recurse -Filter "$name.md").FullName) }

    function Test-KnownOption {
        # What the reader of old command lines does not call unknown is an option, offered or not.
        param([string] $Line)

        try {
            $null = [IoBench.Formats.CommandLineReader]::Read($Line, $TestDrive).ThrowIfRefused()
            $true
        } catch {
            $_.Exception.Message -notmatch 'is not an option of|no such option|is not an option|unknown option'
        }
    }
}

Describe 'The guide from-sqlio' {
    It 'has every option of SQLIO 1.5 that its command lines may have: -<_>' -ForEach $letters {
        if (Test-KnownOption "sqlio -$($_)1 test.dat") { $guides['from-sqlio'] | Should -MatchExactly "[``\s]-$_" }
    }

    It 'names no option of iobench that the program does not have' {
        $program = Join-Path $env:IOBENCH_TEST_BIN 'iobench.dll'
        $commands = 'run', 'import', 'report', 'convert', 'compare', 'test', 'saturation', 'limit', 'cap', 'history', 'workloads', 'remove', 'sqlio', 'diskspd'
        $help = @(foreach ($command in $commands) { dotnet $program $command --help-all }) -join "`n"
        foreach ($guide in 'from-sqlio', 'from-diskspd', 'sweeps', 'reading-results') {
            foreach ($option in [regex]::Matches($guides[$guide], '(?<=[`\s])--[a-z][a-z-]+').Value | Sort-Object -Unique) { $help | Should -Match "(?<![\w-])$option(?![\w-])" -Because "$guide has it" }
        }
    }
}

Describe 'The guide from-diskspd' {
    It 'has every option of DiskSpd 2.2 that its command lines may have: -<_>' -ForEach $letters {
        if (Test-KnownOption "diskspd -$($_)1 test.dat") { $guides['from-diskspd'] | Should -MatchExactly "[``\s]-$_" }
    }

    It 'has every option that DiskSpd''s own help has' {
        $usage = [System.IO.File]::ReadAllText((Join-Path $samples 'diskspd-runs' 'v22-usage.out'))
        foreach ($option in [regex]::Matches($usage, '(?m)^\s+-(?<name>[A-Za-z]|S[bhmruw]|Zr|rs|rd|ag|fr|fs|ft|si|Rp)(?![A-Za-z])').ForEach({ $_.Groups['name'].Value }) | Sort-Object -Unique -CaseSensitive) {
            $guides['from-diskspd'] | Should -MatchExactly "-$option"
        }
    }
}

Describe 'The guide reading-results' {
    It 'has what a reader must know: <_>' -ForEach @(
        'IoBench rates latency only in low-load tests', 'ms-2005', 'The limit for flash is 1 ms', 'Plateau, saturation point, and queue depth', 'Little''s law', 'Why the file''s size matters', 'Write-through', 'Limits and bursts in the cloud', 'Burst credit'
    ) {
        $guides['reading-results'] | Should -Match ([regex]::Escape($_))
    }

    It 'links to pages that are there' {
        foreach ($guide in $guides.Keys) {
            $folder = (Get-ChildItem (Join-Path $repository 'docs') -Recurse -Filter "$guide.md").DirectoryName
            foreach ($link in [regex]::Matches($guides[$guide], '\]\((?<file>[\w./-]+\.\w+)\)').ForEach({ $_.Groups['file'].Value })) { Join-Path $folder $link | Should -Exist -Because $guide }
        }
    }
}

Describe 'The first ten minutes' {
    It 'are a real session: <_>' -ForEach @('Install the module', 'Run a first test', 'Find the saturation point', 'Turn an old SQLIO folder into a workbook', 'Compare two volumes', 'Run the nightly check') {
        $guides['first-ten-minutes'] | Should -Match "(?m)^## $_"
    }

    It 'have no error, no path of a machine, and only commands that are there' {
        $text = $guides['first-ten-minutes']
        $text | Should -Not -Match '/tmp/|/root/|/home/|Exception|ParserError|is not recognized'
        # Every release of PowerShell has them; one that was built from its sources may lack the modules that come from elsewhere.
        $released = 'Expand-Archive', 'Install-PSResource'
        foreach ($line in [regex]::Matches($text, '(?m)^PS> (.+)$').ForEach({ $_.Groups[1].Value })) {
            $problems = $null
            $tree = [System.Management.Automation.Language.Parser]::ParseInput($line, [ref] $null, [ref] $problems)
            $problems | Should -BeNullOrEmpty
            foreach ($call in $tree.FindAll({ $args[0] -is [System.Management.Automation.Language.CommandAst] }, $true)) {
                $name = $call.GetCommandName()
                if ($name -notin $released) { Get-Command $name -ErrorAction Ignore | Should -Not -BeNullOrEmpty -Because $line }
            }
        }
    }
}
