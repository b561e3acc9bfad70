# An option is decided once, as a row of IoBench.Application.OptionTables. Here the parameters of the cmdlets that take options are compared with those rows.
BeforeDiscovery {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    $ofSpecifications = @{}
    foreach ($name in 'BurstSize', 'ThinkTime', 'CoolDown', 'Arrivals', 'RandomPercent', 'Stride', 'FlushEvery', 'WriteContent', 'Affinity', 'Seed', 'BlockMix', 'ReadOutstanding', 'WriteOutstanding', 'Alignment', 'ThreadStride', 'BaseOffset', 'MaxOffset', 'Distribution', 'CompressiblePercent', 'DedupablePercent', 'Polling', 'TimelineInterval') {
        $ofSpecifications[$name] = 'New-IoTestSpecification has it, and a column of a table'
    }
    $tables = @(
        @{
            Command = 'Invoke-IoTest'
            Table = 'Run', 'Output', 'Metrics', 'Expectations'
            # Rows without a parameter.
            Missing = $ofSpecifications + @{
                FromFileStats = 'New-IoWorkload makes its tests, and also takes tables and rows'
                FromXEvents = 'New-IoWorkload makes its tests'
                Format = 'it puts out objects, which Export-IoResult writes'
                ReportPath = 'Export-IoReport writes reports'
                RuleSet = 'Test-IoResult judges results'
                Baseline = 'Compare-IoResult and Export-IoReport compare results'
                Verify = 'Test-IoIntegrity verifies'
                Witness = 'Test-IoIntegrity verifies'
                MaxRounds = 'an option of iobench and Invoke-IoFleet; the default is right for nearly all'
                IdleSeconds = 'New-IoTestSpecification has -RestBefore'
                Shuffle = 'an option of iobench'
                RequireRate = 'the result has RateReachedPercent'
                Units = 'objects have MiB/s'
                MaxRate = 'New-IoTestSpecification has -MaxIopsPerThread'
            }
            # Parameters of another type than the row's, or of one value where the row takes a list.
            Other = @{}
        }
        @{
            Command = 'Measure-IoLimit'
            Table = 'LimitSearch', 'LimitTest'
            Missing = @{}
            Other = @{ Label = 'a search is of one path and has one label' }
        }
        @{
            Command = 'Find-IoCap'
            Table = 'Cap'
            Missing = @{}
            Other = @{ Provisioned = 'a hashtable is taken beside text' }
        }
        @{
            Command = 'Invoke-IoFleet'
            Table = 'FleetLead', 'FleetTests', 'FleetRating', 'Output'
            Missing = @{ Yes = '-Confirm:$false says it'; Format = 'it puts out objects'; ReportPath = 'Export-IoReport writes reports' }
            Other = @{}
        }
        @{
            Command = 'Receive-IoFleet'
            Table = 'FleetRating', 'Output'
            Missing = @{ Format = 'it puts out objects'; ReportPath = 'Export-IoReport writes reports' }
            Other = @{}
        }
        @{
            Command = 'Remove-IoTestFile'
            Table = @('Removal')
            Missing = @{ Yes = '-Confirm:$false says it' }
            Other = @{}
        }
        @{
            Command = 'Test-IoIntegrity'
            Table = 'Verify', 'AfterCrash'
            Missing = @{}
            Other = @{}
        }
        @{
            Command = 'New-IoTestSpecification'
            Table = 'Specification'
            Missing = @{}
            Other = @{}
        }
        @{
            Command = 'New-IoTestFile'
            Table = @('TestFile')
            Missing = @{}
            Other = @{}
        }
        @{
            Command = 'Measure-IoSaturation'
            Table = 'Saturation'
            Missing = @{ Units = 'its objects keep MiB/s, and nothing in their sentences is throughput' }
            Other = @{}
        }
        @{
            Command = 'Test-IoResult'
            Table = 'Rating', 'Rules', 'Metrics', 'AnalysisReport'
            Missing = @{}
            Other = @{ RuleSet = 'a list, where the program has commas' }
        }
        @{
            Command = 'Export-IoReport'
            Table = 'Report', 'ReportOutput'
            Missing = @{ ReportPath = '-Path is the report' }
            Other = @{ Provisioned = 'a hashtable is taken beside text' }
        }
        @{
            Command = 'Watch-IoFailover'
            Table = 'Drill'
            Missing = @{}
            Other = @{}
        }
        @{
            Command = 'Import-SqlErrorLog'
            Table = @('ErrorLog')
            Missing = @{}
            Other = @{}
        }
        @{
            Command = 'Find-IoStorage'
            Table = 'Advice'
            Missing = @{}
            Other = @{ FromFileStats = 'objects are taken beside files' }
        }
        @{
            Command = 'Measure-IoCommit'
            Table = 'Commit'
            Missing = @{}
            Other = @{}
        }
        @{
            Command = 'Find-IoLatency'
            Table = 'LatencySource'
            Missing = @{}
            Other = @{}
        }
        @{
            Command = 'Test-IoHost'
            Table = 'Check'
            Missing = @{}
            Other = @{}
        }
        @{
            Command = 'Compare-IoResult'
            Table = 'Comparison'
            Missing = @{}
            Other = @{ Baseline = 'results are taken beside text' }
        }
        @{
            Command = 'Get-IoHistory'
            Table = 'History', 'Metrics'
            Missing = @{}
            Other = @{}
        }
        @{
            Command = 'Add-IoHistory'
            Table = @('HistoryIntake')
            Missing = @{}
            Other = @{}
        }
        @{
            Command = 'ConvertFrom-IoCommandLine'
            Table = @('Conversion')
            Missing = @{}
            Other = @{ ArgumentList = 'a list, where the program splits one text at its blanks' }
        }
        @{
            Command = 'Import-SqlioResult'
            Table = @('Import')
            Missing = @{ Last = 'the last run was one of IoBench' }
            Other = @{}
        }
        @{
            Command = 'Import-DiskSpdResult'
            Table = @('Import')
            Missing = @{ Last = 'the last run was one of IoBench' }
            Other = @{}
        }
        @{
            Command = 'Import-IoResult'
            Table = 'Import', 'Shown'
            Missing = @{ Histogram = 'Format-Custom shows it'; HeatMap = 'Export-IoReport draws it' }
            Other = @{}
        }
    )
    # Parameters that are no options of the program, nor PowerShell's own: each is either its argument (a path, a name), or belongs to the module alone.
    $everywhere = 'Path', 'LiteralPath', 'InputObject', 'PassThru', 'WhatIf', 'Confirm'
    $ofModule = @{
        'Invoke-IoTest' = @{ Session = 'PowerShell''s way to other hosts'; CommandLine = 'iobench sqlio and diskspd take them'; ParameterFile = 'iobench sqlio takes it' }
        'Invoke-IoFleet' = @{ Inventory = 'an argument'; Session = 'PowerShell''s way to other hosts' }
        'Import-SqlErrorLog' = @{ As = 'the program has --format' }
        'Remove-IoSessionModule' = @{ Session = 'PowerShell''s way to other hosts' }
        'New-IoTestSpecification' = @{ WriteContentFile = 'the file of -WriteContent by itself'; Workload = 'a row of runs, here one'; Label = 'a row of runs, here one' }
        'New-IoWorkload' = @{
            FromFileStats = 'a row of runs, which takes files alone'; DataPath = 'a row of runs'; LogPath = 'a row of runs'; TempdbPath = 'a row of runs'
            SqlInstance = 'needs a command of PowerShell'; SqlCredential = 'needs a command of PowerShell'; Minutes = 'needs a command of PowerShell'; SnapshotPath = 'the program reads the file'
            XEventPath = 'a row of runs, which takes files alone'
        }
        'Get-IoWorkload' = @{ Name = 'an argument'; Kind = 'a filter of objects'; AsSpecification = 'objects for Invoke-IoTest' }
        'Get-IoRuleSet' = @{ Name = 'an argument' }
        'Get-IoHistory' = @{ AsResult = 'objects for Export-IoReport' }
        'Test-IoResult' = @{ Rule = 'hashtables; the program takes a JSON file'; Quiet = 'true or false, which the program''s exit code is'; Summary = 'one object, which the program writes as JSON' }
        'Test-IoIntegrity' = @{ Quiet = 'true or false, which the program''s exit code is' }
        'ConvertTo-IoRow' = @{ VerdictObject = 'through the pipeline'; ForSpreadsheet = 'the program writes CSV, which is always guarded' }
        'ConvertFrom-IoCommandLine' = @{ CommandLine = 'an argument' }
        'Export-IoResult' = @{
            Format = 'the format of a file, compared below'; Append = 'the program writes a file of its own'; NoClobber = 'the program replaces nothing unless --force says so'
            Force = 'as Export-Csv has it; it changes nothing'
        }
        'Export-IoReport' = @{
            ComparisonObject = 'through the pipeline'; Baseline = 'the program''s compare and run have it'; Show = 'who has a desktop'; NoClobber = 'the program replaces nothing unless --force says so'
            ExcelPackage = 'an object of ImportExcel'
        }
    }
    # Tables that no cmdlet has: members of a fleet are the program's, the others are parts or sums of those above.
    $others = 'Member', 'Replica', 'ReportLook', 'Permissions', 'Columns', 'RunAndColumns', 'All'
    $rows = foreach ($table in $tables) {
        foreach ($name in $table.Table) {
            foreach ($row in [IoBench.Application.OptionTables]::$name) {
                @{ Command = $table.Command; Row = $row; Name = $row.Name; Missing = $table.Missing[$row.Name]; Other = $table.Other[$row.Name] }
            }
        }
    }
    $exceptions = $rows.Where({ $_.Missing })
    $parameters = $rows.Where({ -not $_.Missing })
    $known = @{ Names = @($tables.ForEach({ $_.Table })) + $others }
    $manifest = Import-PowerShellDataFile (Join-Path $repository 'IoBench.psd1')
    $commands = $manifest.CmdletsToExport.ForEach({
            $command = $_
            $compared = $tables.Where({ $_.Command -eq $command }).ForEach({ $_.Table }).ForEach({ [IoBench.Application.OptionTables]::$_ }).ForEach({ $_.Name })
            $own = $ofModule.ContainsKey($command) ? @($ofModule[$command].Keys) : @()
            @{ Command = $command; Known = @($everywhere) + @($compared) + $own; OfModule = $own }
        })
    $null = $exceptions, $parameters, $known, $commands
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'The option <Name> of <Command>' -ForEach $parameters {
    BeforeAll {
        $parameter = (Get-Command $Command -Module IoBench).Parameters[$Name]
    }

    It 'is a parameter with its aliases' {
        $parameter | Should -Not -BeNullOrEmpty
        foreach ($alias in $Row.Aliases) { $alias | Should -BeIn $parameter.Aliases }
    }

    It 'is of its kind, with its limits' {
        $given = $parameter.ParameterType
        $one = $given.IsArray ? $given.GetElementType() : $given
        $one = [System.Nullable]::GetUnderlyingType($one) ?? $one
        $wanted = $Row.Kind.Type -eq [bool] ? [switch] : $Row.Kind.Type
        # A list where several values mean something.
        $isList = $Row.Count -ne [IoBench.Application.OptionValueCount]::One
        if ($Other) {
            ($one -eq $wanted -and $given.IsArray -eq $isList) | Should -BeFalse -Because "it is an exception ($Other)"
        } else {
            $one | Should -Be $wanted
            $given.IsArray | Should -Be $isList
        }
        # Where the parameter has none, they are checked with the plan.
        foreach ($range in $parameter.Attributes.Where({ $_ -is [System.Management.Automation.ValidateRangeAttribute] })) {
            [double]$range.MinRange | Should -Be $Row.Range.Item1
            [double]$range.MaxRange | Should -Be $Row.Range.Item2
        }
    }

    It 'completes the names that may be given' {
        if ($Row.Kind.Allowed) {
            $line = "$Command -$Name "
            $offered = (TabExpansion2 $line $line.Length).CompletionMatches.ListItemText
            foreach ($allowed in $Row.Kind.Allowed) { $offered | Should -Contain $allowed }
        }
    }
}

Describe 'The option <Name>, which <Command> does not take' -ForEach $exceptions {
    It 'is no parameter: <Missing>' {
        (Get-Command $Command -Module IoBench).Parameters.Keys | Should -Not -Contain $Name
    }
}

Describe 'Each parameter of <Command>' -ForEach $commands {
    It 'is an option that is a row, or is named as the module''s own' {
        $common = [System.Management.Automation.PSCmdlet]::CommonParameters + [System.Management.Automation.PSCmdlet]::OptionalCommonParameters
        $own = (Get-Command $Command -Module IoBench).Parameters.Keys.Where({ $_ -notin $common })
        $own.Where({ $_ -notin $Known }) | Should -BeNullOrEmpty
        $OfModule.Where({ $_ -notin $own }) | Should -BeNullOrEmpty
    }
}

Describe 'Invoke-IoTest' {
    It 'has at most 40 parameters, and leaves expert settings to New-IoTestSpecification' {
        $common = [System.Management.Automation.PSCmdlet]::CommonParameters + [System.Management.Automation.PSCmdlet]::OptionalCommonParameters
        (Get-Command Invoke-IoTest).Parameters.Keys.Where({ $_ -notin $common }).Count | Should -BeLessOrEqual 40
        $specification = (Get-Command New-IoTestSpecification).Parameters
        foreach ($name in [IoBench.Application.OptionTables]::Specification.Name) { $specification.Keys | Should -Contain $name }
    }
}

Describe 'A latency limit' {
    It 'takes a unit: <Line>' -ForEach @{ Line = 'New-IoTestSpecification x.dat -StopAboveMs 5ms'; Ms = 5 }, @{ Line = 'New-IoTestSpecification x.dat -StopAboveMs 15s'; Ms = 15000 }, @{ Line = 'New-IoTestSpecification x.dat -StopAboveMs 2.5'; Ms = 2.5 } {
        (& ([scriptblock]::Create($Line))).StopAboveMs | Should -Be $Ms
    }

    It 'of a search and of a rule takes a unit' {
        "$(& { Measure-IoLimit (Join-Path $TestDrive 'x.dat') 15s -WhatIf } 6>&1)" | Should -Not -Match 'error'
        $verdict = New-TestResult | Test-IoResult -Rule @{ MaxAverageLatencyMs = '0.05ms' }
        $verdict.Limit, "$($verdict.Outcome)" | Should -Be 0.05, 'Fail'
    }

    It 'of the provisioned storage has its old name as a hidden alias' {
        foreach ($command in 'Find-IoCap', 'Export-IoReport') {
            (Get-Command $command).Parameters['Provisioned'].Aliases | Should -Contain 'Specification'
            [System.IO.File]::ReadAllText((Join-Path $repository 'docs' 'en-US' "$command.md")) | Should -Not -Match '-Specification'
        }
    }
}

Describe 'The syntax of <_>' -ForEach 'Invoke-IoTest', 'Test-IoIntegrity', 'Invoke-IoFleet' {
    It 'begins with what most calls say' {
        foreach ($set in (Get-Command $_ -Module IoBench).ParameterSets) {
            $names = $set.Parameters.Name
            if ('BlockSize' -notin $names) { continue }
            foreach ($first in 'FileSize', 'Duration', 'BlockSize', 'OutstandingIO', 'WritePercent') {
                foreach ($late in 'MaxRate', 'Polling', 'EraseDevice', 'GroupIops', 'Seed') {
                    if ($late -in $names) { $names.IndexOf($first) | Should -BeLessThan $names.IndexOf($late) -Because "$first stands before $late in $($set.Name)" }
                }
            }
        }
    }
}

Describe 'The format of a file' {
    It 'is one that the program prints too, which has a table besides' {
        $row = [IoBench.Application.OptionTables]::Output.Where({ $_.Name -eq 'Format' })[0]
        $ours = (Get-Command Export-IoResult).Parameters['Format'].ParameterType.GetEnumNames()
        $row.Kind.Allowed.ForEach({ $_ -replace '-' }) | Should -Be (@('table') + $ours)
    }
}

Describe 'The tables of options' {
    It 'are all compared with the parameters of a cmdlet' -ForEach $known {
        [IoBench.Application.OptionTables].GetProperties().Name | Sort-Object | Should -Be ($Names | Sort-Object -Unique)
    }
}

Describe 'An exception' {
    It 'is about an option that there is: <Command>' -ForEach $tables {
        $names = $Table.ForEach({ [IoBench.Application.OptionTables]::$_.Name })
        foreach ($name in @($Missing.Keys) + $Other.Keys) { $name | Should -BeIn $names }
    }
}
