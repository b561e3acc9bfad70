BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    function New-Night {
        param([int] $Day, [double] $Iops, [string] $Computer = 'SQL1')
        $result = New-TestResult -Iops $Iops
        $result.StartTime = ([datetimeoffset]'2026-01-10T02:00:00+00:00').AddDays($Day)
        $result.ComputerName = $Computer
        $result.AverageLatencyMs = 1000 / $Iops
        $result
    }
    $nights = foreach ($day in 0..29) {
        New-Night $day (1000 - 4 * $day)
        New-Night $day (1000 + 3 * ($day % 5)) -Computer SQL2
    }
}

Describe 'Get-IoHistory' {
    It 'tells the trend of each computer from the pipeline' {
        $trends = $nights | Get-IoHistory -Metric IOPS
        $trends.ComputerName | Should -Be 'SQL1', 'SQL2'
        $trends.Direction | Should -Be 'Worse', 'Steady'
        "$($trends | Out-String -Width 120)" | Should -Match 'page-read-qd1 +SQL1 +IOPS +30 +2026-01-10 2026-02-08 .*Worse'
        $trends[0].SlopePerDay | Should -BeGreaterThan -4.001
        $trends[0].Summary | Should -BeLike 'page-read-qd1 on SQL1: worse: IOPS changed by -*'
    }

    It 'keeps results in a folder and finds them again' {
        $folder = Join-Path $TestDrive 'history'
        $first = $nights | Select-Object -First 58 | Get-IoHistory $folder -Add
        $first.Runs | Should -Be 29, 29, 29, 29
        ($nights | Select-Object -Last 2 | Get-IoHistory $folder -Add -Metric IOPS).Runs | Should -Be 30, 30
        (Get-ChildItem $folder).Name | Should -Be 'SQL1-2026-01.jsonl', 'SQL1-2026-02.jsonl', 'SQL2-2026-01.jsonl', 'SQL2-2026-02.jsonl'
        (Get-IoHistory $folder -Metric AverageLatencyMs -ComputerName *2).Direction | Should -Be 'Steady'
        (Get-IoHistory $folder -AsResult -ComputerName SQL1 -Since '2026-02-01').Count | Should -Be 8
        (Get-IoHistory $folder -AsResult)[0].StartTime | Should -Be ([datetimeoffset]'2026-01-10T02:00:00+00:00')
    }

    It 'writes nothing with -WhatIf' {
        $folder = Join-Path $TestDrive 'none'
        $nights | Get-IoHistory $folder -Add -WhatIf
        $folder | Should -Not -Exist
    }

    It 'passes over a line that was cut off, and says so' {
        $folder = Join-Path $TestDrive 'torn'
        $null = $nights | Get-IoHistory $folder -Add
        Add-Content -LiteralPath (Join-Path $folder 'SQL1-2026-01.jsonl') -Value '{"source":"IoBench","iops":' -NoNewline
        $trends = Get-IoHistory $folder -Metric IOPS -WarningVariable said -WarningAction SilentlyContinue
        $trends.Runs | Should -Be 30, 30
        $said | Should -BeLike '*is not a whole result*'
    }

    It 'says what is wrong: <Id>' -ForEach @(
        @{ Id = 'IoBench.UnknownMetric'; Call = { $nights | Get-IoHistory -Metric Speed } }
        @{ Id = 'IoBench.HistoryFolder'; Call = { $nights | Get-IoHistory -Add } }
        @{ Id = 'IoBench.NoHistory'; Call = { Get-IoHistory -InputObject ([IoBench.Engine.IoTestResult]::new()) } }
    ) {
        (Get-ErrorOf $Call).FullyQualifiedErrorId | Should -Be "$Id,Get-IoHistory"
    }

    It 'has the table''s columns in ConvertTo-IoRow''s order' {
        $row = New-Night 0 1000 | ConvertTo-IoRow
        $row.psobject.Properties.Name | Should -Be ([IoBench.Analysis.HistoryTable]::Columns.Item1)
    }
}
