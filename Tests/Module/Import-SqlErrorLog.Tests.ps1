BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    $log = Join-Path $TestDrive 'ERRORLOG'
    $old = Join-Path $TestDrive 'ERRORLOG.1'
    Set-Content -LiteralPath $log -Encoding unicode -Value @(
        '2026-11-28 02:12:36.12 spid12s     SQL Server has encountered 122 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [E:\Sales.mdf] in database id 7.  The OS file handle is 0x0000000000001594.  The offset of the latest long I/O is: 0x000030435b0000.  The duration of the long I/O is: 26728 ms.'
        '2026-11-28 03:00:02.50 spid71      I/O was resumed on database Sales. No user action is required.'
    )
    Set-Content -LiteralPath $old -Value '2026-11-27 03:00:00.00 spid71      I/O is frozen on database Sales. No user action is required. However, if I/O is not resumed promptly, you could cancel the backup.'
}

Describe 'Import-SqlErrorLog' {
    It 'returns events in order of time, and the summary as information' {
        $lines = $null
        $found = Import-SqlErrorLog $log, $old -InformationVariable lines 6> $null
        $found | Should -BeOfType ([IoBench.Formats.ErrorLogEvent])
        "$($found.Kind)" | Should -Be 'IOFrozen LongIO IOResumed'
        $found[1].Observations | Should -Be 122
        $found[1].Time | Should -Be ([datetime]'2026-11-28T02:12:36.12')
        "$lines" | Should -BeLike '*at least 2 I/Os took 15 s or longer, up to 26.7 s*'
    }

    It 'returns one object per file, or per file and interval' {
        $files = Import-SqlErrorLog $TestDrive -As File 6> $null
        $files | Should -BeOfType ([IoBench.Analysis.ErrorLogFileSummary])
        $files[0].MinLongIOs | Should -Be 2
        # The times are those of this kind of message.
        $frozen = $files.Kinds.Where({ $_.Kind -eq 'IOFrozen' })
        $frozen.Messages | Should -Be 1
        $frozen.Last | Should -Be ([datetime]'2026-11-27T03:00:00')
        $kinds = $files | Select-Object -ExpandProperty Kinds -Property Path, Database
        "$($kinds.Kind)" | Should -Be 'LongIO IOFrozen IOResumed'
        $kinds[1].Database | Should -Be 'Sales'
        $timeline = Get-Item $log, $old | Import-SqlErrorLog -As Interval -Interval 30m 6> $null
        $timeline | Should -BeOfType ([IoBench.Analysis.ErrorLogInterval])
        $timeline[1].Start | Should -Be ([datetime]'2026-11-28T02:00:00')
    }

    It 'creates a report, and replaces it only with -Force' {
        $report = Join-Path $TestDrive 'r.html'
        Import-SqlErrorLog $log -ReportPath $report 6> $null | Out-Null
        Get-Content $report -Raw | Should -BeLike '*I/O messages in the SQL Server error log*'
        (Get-ErrorOf { Import-SqlErrorLog $log -ReportPath $report }).FullyQualifiedErrorId | Should -BeLike 'IoBench.FileExists,*'
        { Import-SqlErrorLog $log -ReportPath $report -Force 6> $null } | Should -Not -Throw
    }

    It 'reports a file of another kind, and reads the others' {
        $other = Join-Path $TestDrive 'other.txt'
        Set-Content $other 'hello'
        $found = Import-SqlErrorLog $other, $log -ErrorAction SilentlyContinue -ErrorVariable failed 6> $null
        $found | Should -HaveCount 2
        $failed[0].FullyQualifiedErrorId | Should -BeLike 'IoBench.NotAnErrorLog,*'
    }

    It 'has tables of at most 119 columns' {
        foreach ($as in 'Event', 'File', 'Interval') {
            $lines = (Import-SqlErrorLog $log, $old -As $as 6> $null | Out-String -Width 120 -Stream).Where({ $_ })
            ($lines | Measure-Object -Property Length -Maximum).Maximum | Should -BeLessOrEqual 119
        }
    }
}
