BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Test-IoResult' {
    It 'judges by the default rule set and names it and its source' {
        $verdicts = New-TestResult | Test-IoResult
        $verdicts.RuleSet | Should -Be 'flash', 'flash'
        $verdicts.Outcome | Should -Be 'Pass', 'Pass'
        $verdicts[0].Source | Should -Not -BeNullOrEmpty
    }

    It 'says by which kind of storage it judges, and takes another' {
        $null = New-TestResult | Test-IoResult -InformationVariable said
        "$said" | Should -BeLike 'Storage type: flash, assumed. Rule set: flash.'
        (New-TestResult | Test-IoResult -Storage Hdd).RuleSet | Should -Be 'hdd'
    }

    It 'says throughput in the units that were asked for' {
        (New-TestResult | Test-IoResult -Rule @{ MinMBps = 20000 }).Reason | Should -Match 'MiB/s'
        (New-TestResult | Test-IoResult -Rule @{ MinMBps = 20000 } -Units Si).Reason | Should -Match ' MB/s'
    }

    It 'writes metrics for monitoring with -MetricsPath' {
        $file = Join-Path $TestDrive 'verdict.prom'
        $null = New-TestResult | Test-IoResult -RuleSet ms-css -MetricsPath $file
        Get-Content -Raw $file | Should -Match 'iobench_verdict\{[^}]*rule_set="ms-css",verdict="(PRELIMINARY )?PASS"\} 1'
        (Get-ErrorOf { New-TestResult | Test-IoResult -MetricsPath (Join-Path $TestDrive 'verdict.txt') }).FullyQualifiedErrorId |
            Should -BeLike 'IoBench.InvalidOutputPath,*'
    }

    It 'returns the verdict as one object with -Summary' {
        $run = New-TestResult
        $summary = $run | Test-IoResult -RuleSet ms-css -Summary
        $summary.Verdict | Should -BeIn 'PASS', 'PRELIMINARY PASS'
        $summary.Sentence | Should -BeLike "$($summary.Verdict)*"
        $summary.WorstTest | Should -Be $run.Workload
        $summary.Unit | Should -Be 'ms'
        $summary.Measured | Should -BeLessThan $summary.Limit
        $summary.RuleSet | Should -Be 'ms-css'
        $run | Test-IoResult -RuleSet ms-css, ms-2005 -Summary | Should -HaveCount 2
        $failed = New-TestResult | Test-IoResult -Rule @{ MinIOPS = 200000 } -Summary
        $failed.Verdict, $failed.Limit, $failed.Unit | Should -Be 'FAIL', 200000, 'IOPS'
        (Get-ErrorOf { New-TestResult | Test-IoResult -Summary -Quiet }).FullyQualifiedErrorId | Should -BeLike 'IoBench.ConflictingOptions,*'
    }

    It 'never passes a result with integrity errors or content that was not verified' {
        $run = New-TestResult
        $run.Integrity = [IoBench.Engine.IoIntegrity]@{ ErrorCount = 7 }
        ($run | Test-IoResult).Outcome | Should -Contain 'Fail'
        $run | Test-IoResult -Quiet | Should -BeFalse
        $run.Integrity = [IoBench.Engine.IoIntegrity]::new()
        $run.Integrity.Unverified.Add([IoBench.Engine.IoUnverifiedContent]@{ Reason = 'Copy'; ByteCount = 4096 })
        ($run | Test-IoResult).Outcome | Should -Not -Contain 'Pass'
        $run | Test-IoResult -Quiet | Should -BeFalse
    }

    It 'does not rate the latency of a saturating load' {
        $run = New-TestResult
        $run.TotalOutstanding = 32
        ($run | Test-IoResult -RuleSet ms-css).Outcome | Should -Be 'NotRated'
        $run | Test-IoResult -RuleSet ms-css -Quiet | Should -BeFalse
    }

    It 'takes rules of one''s own and files of them' {
        (New-TestResult | Test-IoResult -Rule @{ MinIOPS = 20000 }).Outcome | Should -Be 'Fail'
        $file = Join-Path $TestDrive 'own.json'
        Set-Content -LiteralPath $file -Value '{ "rules": [ { "workload": "page-*", "maxAverageLatencyMs": 0.05 } ] }'
        $verdict = New-TestResult | Test-IoResult -RuleSet $file
        $verdict.Outcome | Should -Be 'Fail'
        $verdict.Reason | Should -Be 'average latency 0.082 ms exceeds the limit of 0.05 ms'
    }

    It 'says why there is no verdict at all' {
        $modelled = New-TestResult
        $modelled.Backend = 'Null'
        $modelled | Test-IoResult -Rule @{ MinIOPS = 1; AnyLoad = $true } -WarningVariable said -WarningAction SilentlyContinue | Should -BeNullOrEmpty
        "$said" | Should -Be 'NOT RATED: results of a modeled device do not measure storage.'
        $modelled | Test-IoResult -Quiet -WarningVariable said | Should -BeFalse
        $said | Should -BeNullOrEmpty
        New-TestResult | Test-IoResult -WarningVariable said | Should -Not -BeNullOrEmpty
        $said | Should -BeNullOrEmpty
    }

    It 'warns that no results are not rated' {
        @() | Test-IoResult -WarningVariable said -WarningAction SilentlyContinue | Should -BeNullOrEmpty
        "$said" | Should -Be 'NOT RATED: the input contains no results.'
        @() | Test-IoResult -Quiet | Should -BeFalse
    }

    It 'refuses a rule without a meaning' {
        foreach ($rule in @{ MaxAverageLatencyMs = -1 }, @{ MinIOPS = [double]::PositiveInfinity }, @{ Kind = 'Write' }) {
            $problem = Get-ErrorOf { New-TestResult | Test-IoResult -Rule $rule }
            $problem.FullyQualifiedErrorId | Should -Be 'IoBench.InvalidRuleFile,IoBench.PowerShell.TestIoResultCommand'
        }
    }

    It 'says which rule sets there are' {
        $problem = Get-ErrorOf { New-TestResult | Test-IoResult -RuleSet none }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.UnknownRuleSet,IoBench.PowerShell.TestIoResultCommand'
        $problem.Exception.Message | Should -Match 'ms-2005'
    }
}

Describe 'Test-IoResult, snapshots of sys.dm_io_virtual_file_stats' {
    BeforeAll {
        function New-DbaIoLatency {
            # As Get-DbaIoLatency of dbatools returns it.
            param([long] $Sample, [long] $Reads, [long] $Writes, [int] $ReadMs = 4)
            foreach ($file in 1, 2) {
                [pscustomobject]@{
                    ComputerName = 'SQL1'; InstanceName = 'MSSQLSERVER'; SqlInstance = 'SQL1'; DatabaseId = 5; DatabaseName = 'x'; FileId = $file
                    PhysicalName = $file -eq 2 ? 'L:\x_log.ldf' : 'D:\x.mdf'; NumberOfReads = $file -eq 1 ? $Reads : 0; IoStallRead = $file -eq 1 ? $Reads * $ReadMs : 0
                    NumberOfwrites = $file -eq 2 ? $Writes : 0; IoStallWrite = $file -eq 2 ? $Writes : 0; IoStall = 0
                    NumberOfBytesRead = $file -eq 1 ? $Reads * 8192 : 0; NumberOfBytesWritten = $file -eq 2 ? $Writes * 4096 : 0; SampleMilliseconds = $Sample
                    ReadLatency = 4; WriteLatency = 1
                }
            }
        }
        $before = New-DbaIoLatency 1000 0 0
        $after = New-DbaIoLatency 101000 20000 5000
    }

    It 'rates each file by the rows of Get-DbaIoLatency, twice' {
        $files = @($before) + $after | Test-IoResult -InformationVariable said
        $files.Count | Should -Be 2
        $files.Role | Should -Be 'data', 'log'
        $files.Outcome | Should -Be 'Pass', 'Pass'
        $files[0].ReadIOPS, $files[0].ReadLatencyMs, $files[0].ReadBlockSizeKB | Should -Be 200, 4, 8
        $files[1].WriteIOPS, $files[1].WriteLatencyMs | Should -Be 50, 1
        "$said" | Should -Be 'PASS (rule set ms-file-stats): average latency of data reads 4 ms (very good), log writes 1 ms (excellent); limit 15 ms.'
        ($files | Out-String -Width 120) | Should -Match '(?m)^pass +D:\\x\.mdf +4 +data +200 +0'
    }

    It 'takes lists, tables, files, and snapshots in a parameter' {
        ($before, $after | Test-IoResult).ReadIOPS | Should -Be 200, 0
        (Test-IoResult -InputObject $before, $after).ReadIOPS | Should -Be 200, 0
        $csv = Join-Path $TestDrive 'samples.csv'
        @($before) + $after | Export-Csv $csv
        (Get-Item $csv | Test-IoResult).ReadIOPS | Should -Be 200, 0
        ($csv | Test-IoResult).ReadIOPS | Should -Be 200, 0
        (Import-Csv $csv | Test-IoResult).ReadIOPS | Should -Be 200, 0
    }

    It 'rates one snapshot since the start, and says so' {
        $summary = $after | Test-IoResult -Summary
        $summary.Verdict | Should -Be 'PRELIMINARY PASS'
        $summary.Sentence | Should -Match 'The averages of one snapshot cover the whole time since SQL Server started'
        ($after | Test-IoResult)[0].ReadIOPS | Should -BeNullOrEmpty
    }

    It 'rates by other rules, as a boolean or a summary' {
        @($before) + $after | Test-IoResult flash -Quiet | Should -BeFalse
        @($before) + $after | Test-IoResult -Storage Cloud -Quiet | Should -BeTrue
        (@($before) + $after | Test-IoResult flash, ms-css -Summary).Verdict | Should -Be 'FAIL', 'PASS'
        $failed = @($before) + $after | Test-IoResult -Rule @{ MaxAverageLatencyMs = 2 } | Where-Object Outcome -EQ Fail
        $failed.File | Should -Be 'D:\x.mdf'
        $failed.Reason | Should -Be 'reads: average latency 4 ms exceeds the limit of 2 ms'
    }

    It 'writes a report' {
        $report = Join-Path $TestDrive 'files.html'
        $null = @($before) + $after | Test-IoResult -ReportPath $report
        Get-Content -Raw $report | Should -Match 'L:\\x_log\.ldf'
        (Get-ErrorOf { $before | Test-IoResult -ReportPath $report }).FullyQualifiedErrorId | Should -BeLike 'IoBench.FileExists,*'
        $null = @($before) + $after | Test-IoResult -ReportPath $report -Force
        (Get-ErrorOf { New-TestResult | Test-IoResult -ReportPath (Join-Path $TestDrive 'other.html') }).FullyQualifiedErrorId | Should -BeLike 'IoBench.ConflictingOptions,*'
    }

    It 'says what is wrong: <Id>' -ForEach @(
        @{ Id = 'IoBench.CountersReset'; Rows = { @($after) + $before } }
        @{ Id = 'IoBench.SameSnapshot'; Rows = { @($after) + $after } }
        @{ Id = 'IoBench.InvalidFileStats'; Rows = { $after | Select-Object -ExcludeProperty NumberOfReads } }
        @{ Id = 'IoBench.InvalidFileStats'; Rows = { $row = $after[0].psobject.Copy(); $row.IoStallRead = [DBNull]::Value; $row } }
        @{ Id = 'IoBench.MixedInput'; Rows = { @($after) + (New-TestResult) } }
    ) {
        (Get-ErrorOf { & $Rows | Test-IoResult }).FullyQualifiedErrorId | Should -Be "$Id,IoBench.PowerShell.TestIoResultCommand"
    }
}
