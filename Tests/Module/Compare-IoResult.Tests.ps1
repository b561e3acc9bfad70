BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Compare-IoResult' {
    It 'compares labels with one of them' {
        $rows = (New-TestResult -Iops 1000 -Label Old), (New-TestResult -Iops 700 -Label New) | Compare-IoResult -By Label -Baseline Old
        $rows.Label | Should -Be 'New'
        $rows.Verdict | Should -Be 'Worse'
        $rows.IopsChangePercent | Should -Be -30
    }

    It 'lists what has no partner as a warning' {
        $rows = (New-TestResult -Label Old), (New-TestResult -Label New), (New-TestResult -Label New -Workload other) |
            Compare-IoResult Old -WarningVariable said -WarningAction SilentlyContinue
        @($rows).Count | Should -Be 1
        $said | Should -BeLike '*other*is only in New*'
    }

    It 'says which labels there are' {
        $problem = Get-ErrorOf { (New-TestResult -Label Old), (New-TestResult -Label New) | Compare-IoResult -Baseline Oldest }
        $problem.FullyQualifiedErrorId | Should -BeLike 'IoBench.*,Compare-IoResult'
        $problem.Exception.Message | Should -Match 'Old'
    }
}
