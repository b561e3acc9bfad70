BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    function New-FileStat {
        param([int] $Database, [int] $File, [long] $Sample, [long] $Reads, [long] $Writes, [string] $Type)
        [pscustomobject]@{
            database_id = $Database; file_id = $File; sample_ms = $Sample; num_of_reads = $Reads; num_of_bytes_read = $Reads * 8192; io_stall_read_ms = $Reads * 12
            num_of_writes = $Writes; num_of_bytes_written = $Writes * 20480; io_stall_write_ms = $Writes * 2; type_desc = $Type
        }
    }
    $before = (New-FileStat 5 1 1000 0 0 ROWS), (New-FileStat 5 2 1000 0 0 LOG)
    $after = (New-FileStat 5 1 101000 20000 0 ROWS), (New-FileStat 5 2 101000 0 5000 LOG)
}

Describe 'New-IoWorkload' {
    It 'makes a server''s own load of two queries' {
        $tests = New-IoWorkload -FromFileStats $before, $after
        $tests.Workload | Should -Be 'own-data-read', 'own-log-write'
        $tests.TargetIops | Should -Be 200, 50
        $tests.BlockSize | Should -Be 8192, 20480
        $tests.ObservedLatencyMs | Should -Be 12, 2
        $tests.Targets | Should -BeNullOrEmpty
    }

    It 'makes it of two CSV files' {
        $before | Export-Csv (Join-Path $TestDrive 'first.csv')
        $after | Export-Csv (Join-Path $TestDrive 'second.csv')
        $tests = New-IoWorkload (Join-Path $TestDrive 'first.csv'), (Join-Path $TestDrive 'second.csv')
        $tests.TargetIops | Should -Be 200, 50
    }

    It 'takes data tables' {
        $tables = foreach ($rows in $before, $after) {
            $table = [System.Data.DataTable]::new()
            foreach ($property in $rows[0].psobject.Properties) { $null = $table.Columns.Add($property.Name, $property.Value.GetType()) }
            foreach ($row in $rows) { $null = $table.Rows.Add($row.psobject.Properties.Value) }
            , $table
        }
        (New-IoWorkload $tables[0], $tables[1]).TargetIops | Should -Be 200, 50
    }

    It 'takes the rows of the pipeline: a new snapshot begins where a file comes again' {
        ($before + $after | New-IoWorkload).TargetIops | Should -Be 200, 50
        ($before, $after | New-IoWorkload).TargetIops | Should -Be 200, 50
        $first = Join-Path $TestDrive 'p1.csv'
        $second = Join-Path $TestDrive 'p2.csv'
        $before | Export-Csv $first
        $after | Export-Csv $second
        ($first, $second | New-IoWorkload).TargetIops | Should -Be 200, 50
        (Get-Item $first, $second | New-IoWorkload).TargetIops | Should -Be 200, 50
    }

    It 'takes what dbatools'' Get-DbaIoLatency puts out, twice' {
        $toDba = {
            param($rows, $instance)
            foreach ($row in $rows) {
                [pscustomobject]@{
                    ComputerName = 'SQL1'; InstanceName = 'MSSQLSERVER'; SqlInstance = $instance; DatabaseId = $row.database_id; DatabaseName = 'x'; FileId = $row.file_id
                    PhysicalName = $row.type_desc -eq 'LOG' ? 'L:\x_log.ldf' : 'D:\x.mdf'; NumberOfReads = $row.num_of_reads; IoStallRead = $row.io_stall_read_ms; NumberOfwrites = $row.num_of_writes
                    IoStallWrite = $row.io_stall_write_ms; IoStall = 0; NumberOfBytesRead = $row.num_of_bytes_read; NumberOfBytesWritten = $row.num_of_bytes_written
                    SampleMilliseconds = $row.sample_ms; ReadLatency = 12
                }
            }
        }
        $tests = New-IoWorkload (& $toDba $before 'SQL1'), (& $toDba $after 'SQL1')
        $tests.TargetIops | Should -Be 200, 50
        $tests.Workload | Should -Be 'own-data-read', 'own-log-write'
        (@(& $toDba $before 'SQL1') + @(& $toDba $after 'SQL1') | New-IoWorkload).TargetIops | Should -Be 200, 50
        $problem = Get-ErrorOf { @(& $toDba $before 'SQL1') + @(& $toDba $before 'SQL2') | New-IoWorkload }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.InvalidFileStats,IoBench.PowerShell.NewIoWorkloadCommand'
        $problem.Exception.Message | Should -Match 'several servers: SQL1, SQL2'
    }

    It 'takes more snapshots: each load''s mean and its busiest window' {
        $middle = (New-FileStat 5 1 11000 10000 0 ROWS), (New-FileStat 5 2 11000 0 500 LOG)
        $tests = New-IoWorkload $before, $middle, $after
        $tests.Workload | Should -Be 'own-data-read', 'own-data-read-busiest', 'own-log-write', 'own-log-write-busiest'
        $tests.TargetIops | Should -Be 200, 1000, 50, 50
        (New-IoWorkload $before, $middle, $after -DataPath $TestDrive).Workload | Should -Be 'own-load', 'own-load-busiest'
    }

    It 'needs two snapshots' {
        (Get-ErrorOf { $before | New-IoWorkload }).FullyQualifiedErrorId | Should -Be 'IoBench.TwoSnapshots,IoBench.PowerShell.NewIoWorkloadCommand'
    }

    It 'puts all loads into one test when roles have paths' {
        $test = New-IoWorkload $before, $after -DataPath $TestDrive -LogPath $TestDrive
        @($test).Count | Should -Be 1
        $test.Targets.Role | Should -Be 'data', 'log'
        $test.Targets.Pattern.TargetIops | Should -Be 200, 50
    }

    It 'says which load has no path' {
        $test = New-IoWorkload $before, $after -DataPath $TestDrive -WarningVariable said -WarningAction SilentlyContinue
        $test.Targets.Role | Should -Be 'data'
        "$said" | Should -Be 'log has no path, so IoBench ignores its load.'
    }

    It 'runs, and the result still knows what SQL Server saw' {
        $result = New-IoWorkload $before, $after | Select-Object -First 1 | Invoke-IoTest $TestDrive -Backend Null -Duration 0.3 -WarmUp 0
        $result.LoadModel | Should -Be 'Open'
        $result.Specification.ObservedLatencyMs | Should -Be 12
    }

    It 'says what is wrong with the snapshots: <Id>' -ForEach @(
        @{ Id = 'IoBench.CountersReset'; First = { $after }; Second = { $before }; Words = '*the order is wrong*' }
        @{ Id = 'IoBench.SameSnapshot'; First = { $after }; Second = { $after }; Words = '*at the same time*' }
        @{ Id = 'IoBench.InvalidFileStats'; First = { , [pscustomobject]@{ database_id = 1 } }; Second = { $after }; Words = '*has no file_id*' }
        @{ Id = 'IoBench.FileNotFound'; First = { 'no-such.csv' }; Second = { $after }; Words = '*does not exist*' }
    ) {
        $problem = Get-ErrorOf { New-IoWorkload -FromFileStats (& $First), (& $Second) }
        $problem.FullyQualifiedErrorId | Should -Be "$Id,IoBench.PowerShell.NewIoWorkloadCommand"
        $problem.Exception.Message | Should -BeLike $Words
    }
}
