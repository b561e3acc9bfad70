BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    # A run of a label without intervals: those of a made-up result rise, and a single short run that is not steady decides nothing.
    function New-LabelledRun([double] $Iops, [string] $Label) {
        $run = New-TestResult -Iops $Iops -Label $Label
        $run.Timeline.Clear()
        $run
    }

    # Single runs do not tell a change from chance.
    function New-LabelledRepeat([double] $Iops, [string] $Label) { 1..3 | ForEach-Object { New-LabelledRun $Iops $Label } }
}

Describe 'Compare-IoResult' {
    It 'compares labels with one of them' {
        $rows = @(New-LabelledRepeat 1000 Old) + @(New-LabelledRepeat 700 New) | Compare-IoResult -By Label -Baseline Old
        $rows.Label | Should -Be 'New'
        $rows.Verdict | Should -Be 'Worse'
        $rows.IopsChangePercent | Should -Be -30
        $rows.Test, $rows.DecidedBy, $rows.Before, $rows.After, $rows.Unit | Should -Be 'page-read-qd1', 'IOPS', 1000, 700, 'IOPS'
        $rows.Interval | Should -Match '^-\d+ to -\d+%$'
        $rows.Reason | Should -BeLike 'A loss of *% or more would have been detected'
        $rows | Out-String -Width 119 |
            Should -Match '(?m)^Verdict +Test +Before +After +Change +Interval +Reason'
    }

    It 'has no verdict of single runs, and says how to get one' {
        $rows = (New-LabelledRun 1000 Old), (New-LabelledRun 700 New) | Compare-IoResult Old
        $rows.Verdict | Should -Be 'Inconclusive'
        $rows.ChangePercent | Should -Be -30
        $rows.Reason | Should -BeLike '*repeat each test 3 times'
    }

    It 'compares two files by position' {
        $before, $after = (Join-Path $TestDrive 'before.json'), (Join-Path $TestDrive 'after.json')
        New-LabelledRepeat 1000 '' | Export-IoResult $before
        New-LabelledRepeat 700 '' | Export-IoResult $after
        $rows = Compare-IoResult $before $after
        $rows.Verdict | Should -Be 'Worse'
        $rows.Before, $rows.After | Should -Be 1000, 700
        (Get-ErrorOf { Compare-IoResult $before (Join-Path $TestDrive 'none.json') }).FullyQualifiedErrorId | Should -BeLike 'IoBench.FileNotFound,*'
    }

    It 'warns about results with integrity errors' {
        $bad = New-LabelledRun 1000 New
        $bad.Integrity = [IoBench.Engine.IoIntegrity]@{ ErrorCount = 7 }
        $null = (New-LabelledRun 1000 Old), $bad | Compare-IoResult -By Label -Baseline Old -WarningVariable warned -WarningAction SilentlyContinue
        "$warned" | Should -Match 'returned wrong data: 7 errors'
    }

    It 'gives findings, which a table shows by verdict, subject and words' {
        $rows = @(New-LabelledRepeat 1000 Old) + @(New-LabelledRepeat 700 New) | Compare-IoResult -By Label -Baseline Old
        $rows.Findings.Code | Should -Be 'Comparison.Worse'
        $rows.Findings.WhatToDo | Should -Be 'Check what changed'
        "$($rows.Findings | Out-String -Width 120)" | Should -Match '(?s)Verdict +Subject +What.*fail \(critical\) +.*worse than Old: IOPS\s+-30%'
    }

    It 'takes a label of the results before a file of that name, and names a file that is the baseline' {
        Push-Location $TestDrive
        try {
            New-LabelledRun 100 Other | Export-IoResult Old.json
            Copy-Item Old.json Old
            ((New-LabelledRun 1000 Old), (New-LabelledRun 700 New) | Compare-IoResult Old).Label | Should -Be 'New'
            (New-LabelledRun 70 New | Compare-IoResult Old.json).BaselineLabel | Should -Be 'Old.json'
        } finally {
            Pop-Location
        }
    }

    It 'is as strict as it is told' {
        $runs = @(New-LabelledRepeat 1000 Old) + @(New-LabelledRepeat 700 New)
        ($runs | Compare-IoResult Old -MinChangePercent 40).Verdict | Should -Not -Be 'Worse'
    }

    It 'lists what has no partner as a warning' {
        $rows = (New-TestResult -Label Old), (New-TestResult -Label New), (New-TestResult -Label New -Workload other) |
            Compare-IoResult Old -WarningVariable said -WarningAction SilentlyContinue
        @($rows).Count | Should -Be 1
        $said | Should -BeLike '*other*is only in New*'
    }

    It 'reports mean, spread and interval of repeats' {
        $runs = foreach ($iops in 1000, 1100, 1020) { New-TestResult -Iops $iops }
        $summary = $runs | Compare-IoResult -Repeat
        $summary.Runs | Should -Be 3
        $summary.IOPS | Should -Be 1040
        [math]::Round($summary.Metrics['IOPS'].ConfidenceLow) | Should -Be 909
        $summary.IsSteady | Should -BeNullOrEmpty
        "$($summary | Out-String -Width 120)" | Should -Match '1,040 +909 - 1,171'
        $none = Get-ErrorOf { @() | Compare-IoResult -Repeat }
        $none.FullyQualifiedErrorId | Should -Be 'IoBench.NoRepeats,IoBench.PowerShell.CompareIoResultCommand'
        $none.ErrorDetails.RecommendedAction | Should -BeLike '*Repeat a test with -Repeat 3,*'
    }

    It 'says which labels there are' {
        $problem = Get-ErrorOf { (New-TestResult -Label Old), (New-TestResult -Label New) | Compare-IoResult -Baseline Oldest }
        $problem.FullyQualifiedErrorId | Should -BeLike 'IoBench.*,IoBench.PowerShell.CompareIoResultCommand'
        $problem.Exception.Message | Should -Match 'Old'
    }

    It 'completes the baseline from the labels of its input' {
        $results = (New-TestResult -Label 'Old SAN'), (New-TestResult -Label New)
        $null = $results
        $line = 'Compare-IoResult -InputObject $results -Baseline '
        (TabExpansion2 $line $line.Length).CompletionMatches.CompletionText | Should -Be "'Old SAN'", 'New'
    }
}
