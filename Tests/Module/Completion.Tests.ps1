# What Tab offers for values.
BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    function Get-Completion {
        param([string] $Line)

        (TabExpansion2 $Line $Line.Length).CompletionMatches.CompletionText
    }
}

Describe 'Completion' {
    It 'of <Line> offers <Value>' -ForEach @(
        @{ Line = 'Invoke-IoTest T:\ -Workload log-c'; Value = 'log-commit' }
        @{ Line = 'Measure-IoLimit T:\ 5 -Workload log-c'; Value = 'log-commit' }
        @{ Line = 'New-IoTestSpecification -Workload log-c'; Value = 'log-commit' }
        @{ Line = 'Get-IoHistory D:\ -Workload log-c'; Value = 'log-commit' }
        @{ Line = 'Get-IoWorkload log-c'; Value = 'log-commit' }
        @{ Line = 'Test-IoResult -RuleSet fl'; Value = 'flash' }
        @{ Line = 'Get-IoRuleSet fl'; Value = 'flash' }
        @{ Line = 'Invoke-IoTest T:\ -OutstandingIO '; Value = '16' }
        @{ Line = 'Measure-IoLimit T:\ 5 -OutstandingIO '; Value = '16' }
        @{ Line = 'Find-IoCap T:\ -OutstandingIO '; Value = '16' }
        @{ Line = 'New-IoTestSpecification -Distribution '; Value = '90/10' }
        @{ Line = 'New-IoTestSpecification T:\ -Distribution '; Value = '90/10' }
        @{ Line = 'New-IoTestSpecification T:\ -Arrivals P'; Value = 'Poisson' }
        @{ Line = 'Test-IoIntegrity T:\ -MaxRate '; Value = "'200 MB/s'" }
        @{ Line = 'Invoke-IoTest T:\ -Duration '; Value = '30s' }
        @{ Line = 'Invoke-IoTest T:\ -BlockSize '; Value = '64KB' }
        @{ Line = 'Invoke-IoTest T:\ -ThreadCount '; Value = 'Auto' }
        @{ Line = 'Invoke-IoTest T:\ -AccessPattern Int'; Value = 'Interlocked' }
        @{ Line = 'Find-IoCap T:\ -Provisioned Th'; Value = "@{ Throughput = '200 MB/s' }" }
        @{ Line = 'Find-IoCap T:\ -Provisioned '; Value = '@{ IOPS = 5000 }' }
        @{ Line = 'Find-IoCap T:\ -Provisioned azure:P3'; Value = "'azure:P30'" }
        @{ Line = 'Find-IoCap T:\ -Provisioned azure-vm:E16b'; Value = "'azure-vm:E16bds_v5'" }
        @{ Line = 'Find-IoCap T:\ -Provisioned aw'; Value = 'aws:' }
        @{ Line = 'Find-IoCap T:\ -Provisioned azure:'; Value = "'azure:P30'" }
        @{ Line = 'Find-IoCap T:\ -Provisioned @{ Th'; Value = 'Throughput' }
        @{ Line = 'Find-IoCap T:\ -Provisioned @{ IOPS = 5000; '; Value = 'BurstThroughput' }
        @{ Line = 'Export-IoReport x.xlsx -Provisioned @{ '; Value = 'LatencyMs' }
        @{ Line = 'Test-IoResult -Rule @{ MaxAv'; Value = 'MaxAverageLatencyMs' }
        @{ Line = 'Invoke-IoTest T:\ -WarmUp '; Value = '5s' }
        @{ Line = 'New-IoTestSpecification T:\ -CoolDown '; Value = '5s' }
        @{ Line = 'Find-IoCap T:\ -WarmUp '; Value = '5s' }
        @{ Line = 'Find-IoCap T:\ -Units '; Value = 'Si' }
        @{ Line = 'Invoke-IoTest T:\ -Storage '; Value = 'Cloud' }
        @{ Line = 'Get-IoHistory -Metric Ave'; Value = 'AverageLatencyMs' }
    ) {
        Get-Completion $Line | Should -Contain $Value
    }

    It 'of a table of figures offers no key twice, and each that it offers is read' {
        $keys = Get-Completion 'Find-IoCap T:\ -Provisioned @{ '
        $keys | Should -Be 'BurstIOPS', 'BurstThroughput', 'IOPS', 'LatencyMs', 'Throughput'
        Get-Completion 'Find-IoCap T:\ -Provisioned @{ IOPS = 5000; I' | Should -Not -Contain 'IOPS'
        $figures = @{}
        foreach ($key in $keys) { $figures[$key] = '100' + ($key -like '*Throughput' ? ' MB/s' : '') }
        { [IoBench.PowerShell.ProvisionedStorage] $figures } | Should -Not -Throw
        (Get-ErrorOf { New-TestResult | Find-IoCap -Provisioned $figures }).FullyQualifiedErrorId | Should -Not -BeLike 'IoBench.InvalidSpecification,*'
    }

    It 'of a baseline offers the sides of what is given, whatever the case of -By' {
        $results = (New-TestResult -Label before), (New-TestResult -Label after)
        $null = $results
        Get-Completion 'Compare-IoResult -InputObject $results -Baseline ' | Should -Be 'before', 'after'
        Get-Completion 'Compare-IoResult -InputObject $results -By computername -Baseline ' | Should -Be 'SQL1'
        Get-Completion 'Compare-IoResult -InputObject $results -By moon -Baseline xyz' | Should -BeNullOrEmpty
    }

    It 'of labels offers those of the last run' {
        $env:IOBENCH_JOURNAL = Join-Path $TestDrive 'journal'
        try {
            Get-Completion 'Invoke-IoTest T:\ -Label New' | Should -Not -Contain 'NewSan'
            $null = Invoke-IoTest "$TestDrive/x.dat" -Backend Null -FileSize 8MB -Duration 0.1 -WarmUp 0 -Label NewSan -WarningAction SilentlyContinue
            Get-Completion 'Invoke-IoTest T:\ -Label New' | Should -Contain 'NewSan'
            Get-Completion 'Import-IoResult x.txt -Label New' | Should -Contain 'NewSan'
        } finally {
            $env:IOBENCH_JOURNAL = 'off'
        }
    }

    It 'of computers offers those of the history that is named' {
        New-TestResult | Add-IoHistory "$TestDrive/history"
        Get-Completion "Get-IoHistory $TestDrive/history -ComputerName SQ" | Should -Contain 'SQL1'
        Get-Completion 'Get-IoHistory -ComputerName ' | Should -Contain ([System.Environment]::MachineName)
    }
}
