BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $nights = Get-Night
}

Describe 'Get-IoHistory' {
    It 'reports the trend of each computer from the pipeline' {
        $trends = $nights | Get-IoHistory -Metric IOPS
        $trends.ComputerName | Should -Be 'SQL1', 'SQL2'
        $trends.Direction | Should -Be 'Worse', 'Steady'
        "$($trends | Out-String -Width 120)" | Should -Match 'Worse +page-read-qd1 +IOPS +884 +-12\.3% +2026-01-10 +SQL1 +30 +2026-01-10 2026-02-08'
        $trends[0].SlopePerDay | Should -BeGreaterThan -4.001
        $trends[0].Summary | Should -BeLike 'page-read-qd1 on SQL1: worse. Over 29 days, IOPS changed gradually by -*'
    }

    It 'takes wildcards of names: <Name>' -ForEach @(
        @{ Name = 'sql*'; Found = 'SQL1', 'SQL2' }
        @{ Name = 's?l[2-9]'; Found = 'SQL2' }
        @{ Name = 'SQL1', 'none'; Found = 'SQL1' }
    ) {
        ($nights | Get-IoHistory -Metric IOPS -ComputerName $Name -Workload 'PAGE*').ComputerName | Should -Be $Found
    }

    It 'writes metrics for monitoring, and also returns the trends' {
        $file = Join-Path $TestDrive 'trends.prom'
        ($nights | Get-IoHistory -Metric IOPS -MetricsPath $file).Count | Should -Be 2
        Get-Content -Raw $file | Should -Match 'iobench_trend\{[^}]*host="SQL1"[^}]*direction="worse"\} 1'
        $null = Get-ErrorOf { $nights | Get-IoHistory -Metric IOPS -MetricsPath (Join-Path $TestDrive 'none.prom') -Workload none }
        Join-Path $TestDrive 'none.prom' | Should -Not -Exist
    }

    It 'passes over a line that was cut off, and says so' {
        $folder = Join-Path $TestDrive 'torn'
        $nights | Add-IoHistory $folder
        Add-Content -LiteralPath (Join-Path $folder 'SQL1-2026-01.jsonl') -Value '{"source":"IoBench","iops":' -NoNewline
        $trends = Get-IoHistory $folder -Metric IOPS -WarningVariable said -WarningAction SilentlyContinue
        $trends.Runs | Should -Be 30, 30
        $said | Should -BeLike '*is not a complete result*'
    }

    It 'shows a large figure whole at every width' {
        foreach ($width in 80, 120) {
            $nights | ForEach-Object { $_.IOPS *= 1000; $_ } | Get-IoHistory -Metric IOPS | Out-String -Width $width | Should -Match '(?m)^Worse .* 884,000 '
            $nights.ForEach({ $_.IOPS /= 1000 })
        }
    }

    It 'says what is wrong: <Id>' -ForEach @(
        @{ Id = 'IoBench.UnknownMetric'; Call = { $nights | Get-IoHistory -Metric Speed } }
        @{ Id = 'IoBench.NoHistory'; Call = { Get-IoHistory -InputObject ([IoBench.Engine.IoTestResult]::new()) } }
    ) {
        (Get-ErrorOf $Call).FullyQualifiedErrorId | Should -Be "$Id,IoBench.PowerShell.GetIoHistoryCommand"
    }

    It 'has the table''s columns in ConvertTo-IoRow''s order' {
        $row = New-Night 0 1000 | ConvertTo-IoRow
        $results, $verdicts = (Get-Content -Raw (Join-Path $repository 'docs' 'examples' 'history-table.sql')) -split '(?m)^GO\r?$'
        $script = $results -split '\r?\n'
        $row.psobject.Properties.Name | Should -Be ($script -match '^    (?!IoBenchResultId)\w+ +\w' -replace '^    (\w+).*', '$1')
        $row = New-Night 0 1000 | Test-IoResult | ConvertTo-IoRow | Select-Object -First 1
        $row.psobject.Properties.Name | Should -Be ($verdicts -split '\r?\n' -match '^    (?!IoBenchVerdictId)\[?\w+\]? +\w' -replace '^    \[?(\w+).*', '$1')
    }
}
