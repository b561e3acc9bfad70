# An option is decided once, as a row of IoBench.Application.Options.OptionTables. Here the parameters of the cmdlets that take options are compared with those rows.
BeforeDiscovery {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    $tables = @(
        @{
            Command = 'Invoke-IoTest'
            Table = 'Run'
            # Rows without a parameter.
            Missing = @{ FromFileStats = 'New-IoWorkload makes its tests, and also takes tables and rows' }
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
            Other = @{ Specification = 'a hashtable is taken beside text' }
        }
        @{
            Command = 'Invoke-IoFleet'
            Table = 'FleetLead', 'FleetTests'
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
            Table = 'Judging'
            Missing = @{}
            Other = @{}
        }
        @{
            Command = 'Export-IoReport'
            Table = 'Report'
            Missing = @{}
            Other = @{ Specification = 'a hashtable is taken beside text' }
        }
        @{
            Command = 'Watch-IoFailover'
            Table = 'Drill'
            Missing = @{}
            Other = @{}
        }
        @{
            Command = 'Test-IoSelf'
            Table = 'SelfTest'
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
            Table = 'History'
            Missing = @{}
            Other = @{}
        }
        @{
            Command = 'Import-IoResult'
            Table = 'Shown'
            Missing = @{ Histogram = 'Format-Custom shows it'; HeatMap = 'Export-IoReport draws it' }
            Other = @{}
        }
    )
    # Tables that no cmdlet has: members of a fleet are the program's, the others are parts or sums of those above.
    $others = 'Member', 'ReportLook', 'Columns', 'RunAndColumns', 'All'
    $rows = foreach ($table in $tables) {
        foreach ($name in $table.Table) {
            foreach ($row in [IoBench.Application.Options.OptionTables]::$name) {
                @{ Command = $table.Command; Row = $row; Name = $row.Name; Missing = $table.Missing[$row.Name]; Other = $table.Other[$row.Name] }
            }
        }
    }
    $exceptions = $rows.Where({ $_.Missing })
    $parameters = $rows.Where({ -not $_.Missing })
    $known = @{ Names = @($tables.ForEach({ $_.Table })) + $others }
    $null = $exceptions, $parameters, $known
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
        $isList = $Row.Count -ne [IoBench.Application.Options.OptionValueCount]::One
        if ($Other) {
            ($one -eq $wanted -and $given.IsArray -eq $isList) | Should -BeFalse -Because "it is an exception ($Other)"
        } else {
            $one | Should -Be $wanted
            $given.IsArray | Should -Be $isList
        }
        # Where the parameter has none, they are checked with the plan.
        foreach ($range in $parameter.Attributes.Where({ $_ -is [System.Management.Automation.ValidateRangeAttribute] })) {
            [double]$range.MinRange | Should -Be $Row.Min
            [double]$range.MaxRange | Should -Be $Row.Max
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

Describe 'The tables of options' {
    It 'are all compared with the parameters of a cmdlet' -ForEach $known {
        [IoBench.Application.Options.OptionTables].GetProperties().Name | Sort-Object | Should -Be ($Names | Sort-Object)
    }
}

Describe 'An exception' {
    It 'is about an option that there is: <Command>' -ForEach $tables {
        $names = $Table.ForEach({ [IoBench.Application.Options.OptionTables]::$_.Name })
        foreach ($name in @($Missing.Keys) + $Other.Keys) { $name | Should -BeIn $names }
    }
}
