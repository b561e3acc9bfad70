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

    It 'makes it of the events of single I/Os, in several files' {
        foreach ($minute in 1, 0) {
            $events = foreach ($i in 0..5999) {
                '<event name="file_read_completed" timestamp="2026-11-28T10:0{0}:{1:00}.{2:00}0Z"><data name="duration"><value>12</value></data><data name="offset"><value>{3}</value></data><data name="database_id"><value>5</value></data><data name="file_id"><value>1</value></data><data name="size"><value>8192</value></data></event>' -f $minute, [math]::Floor($i / 100), ($i % 100), (($minute * 6000 + $i) * 8192)
            }
            Set-Content (Join-Path $TestDrive "io_0_$minute.xml") $events
        }
        $tests = New-IoWorkload -XEventPath (Join-Path $TestDrive 'io_0_*.xml') -WarningVariable warnings -WarningAction SilentlyContinue
        $tests.Workload | Should -Be 'own-data-read', 'own-data-read-busiest'
        $tests[0].TargetIops | Should -BeGreaterThan 99
        $tests[0].TargetIops | Should -BeLessThan 101
        $tests.AccessPattern | Should -Be 'Sequential', 'Sequential'
        $tests.ObservedLatencyMs | Should -Be 12, 12
        $warnings | Should -BeLike '*IoBench.NoFileTypes*'
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
        @{ Id = 'IoBench.CountersReset'; First = { $after }; Second = { $before }; Words = '*they are in the wrong order*' }
        @{ Id = 'IoBench.SameSnapshot'; First = { $after }; Second = { $after }; Words = '*at the same time*' }
        @{ Id = 'IoBench.InvalidFileStats'; First = { , [pscustomobject]@{ database_id = 1 } }; Second = { $after }; Words = '*has no file_id*' }
        @{ Id = 'IoBench.FileNotFound'; First = { 'no-such.csv' }; Second = { $after }; Words = '*does not exist*' }
    ) {
        $problem = Get-ErrorOf { New-IoWorkload -FromFileStats (& $First), (& $Second) }
        $problem.FullyQualifiedErrorId | Should -Be "$Id,IoBench.PowerShell.NewIoWorkloadCommand"
        $problem.Exception.Message | Should -BeLike $Words
    }
}

Describe 'New-IoWorkload -SqlInstance' {
    BeforeAll {
        $calls = [System.Collections.Generic.List[hashtable]]::new()
        function global:Invoke-DbaQuery {
            # As dbatools' command: rows of one snapshot, 1,000 reads and 500 log writes more each time.
            param([string] $SqlInstance, [pscredential] $SqlCredential, [string] $Query, [switch] $EnableException)
            if ($SqlInstance -eq 'SQLDOWN') { throw 'Login failed.' }
            if ($SqlInstance -eq 'SQLEMPTY') { return }
            $calls.Add(@{ Instance = $SqlInstance; Query = $Query; Enabled = [bool]$EnableException; Login = $SqlCredential.UserName })
            $number = $calls.Where({ $_.Instance -eq $SqlInstance }).Count
            $table = [System.Data.DataTable]::new()
            foreach ($column in @{ taken = [datetime]; database_id = [int16]; file_id = [int16]; type_desc = [string]; physical_name = [string]; sample_ms = [long]; num_of_reads = [long]; num_of_bytes_read = [long]; io_stall_read_ms = [long]; num_of_writes = [long]; num_of_bytes_written = [long]; io_stall_write_ms = [long]; size_on_disk_bytes = [long]; file_handle = [byte[]] }.GetEnumerator()) {
                $null = $table.Columns.Add($column.Key, $column.Value)
            }
            foreach ($file in 1, 2) {
                $row = $table.NewRow()
                $count = $number * ($file -eq 1 ? 1000 : 0)
                $writes = $number * ($file -eq 2 ? 500 : 0)
                $row['taken'] = [datetime]'2026-11-20' + [timespan]::FromSeconds(5 * $number)
                $row['database_id'] = 5; $row['file_id'] = $file; $row['type_desc'] = $file -eq 2 ? 'LOG' : 'ROWS'
                $row['physical_name'] = $file -eq 2 ? 'L:\x, "log".ldf' : 'D:\x.mdf'
                $row['sample_ms'] = 5000 * $number
                $row['num_of_reads'] = $count; $row['num_of_bytes_read'] = $count * 8192; $row['io_stall_read_ms'] = $count * 4
                $row['num_of_writes'] = $writes; $row['num_of_bytes_written'] = $writes * 4096; $row['io_stall_write_ms'] = $writes
                $row['size_on_disk_bytes'] = 100GB; $row['file_handle'] = [byte[]](1, 2)
                $table.Rows.Add($row)
            }
            $table.Rows
        }
    }

    AfterAll { Remove-Item Function:\Invoke-DbaQuery -ErrorAction Ignore }

    It 'takes the snapshots with the client of the session, and saves them for other cmdlets' {
        $csv = Join-Path $TestDrive 'taken.csv'
        $tests = New-IoWorkload -SqlInstance SQL1 -Minutes 0.1 -SnapshotPath $csv
        $tests.Workload | Should -Be 'own-data-read', 'own-log-write'
        $tests.TargetIops | Should -Be 200, 100
        $tests.ObservedLatencyMs | Should -Be 4, 1
        $calls.Count | Should -Be 2
        $calls[0].Query | Should -Match 'sys\.dm_io_virtual_file_stats'
        $calls[0].Enabled | Should -BeTrue
        $files = Get-Item $csv | Test-IoResult
        $files.File | Should -Be 'D:\x.mdf', 'L:\x, "log".ldf'
        $files.ReadIOPS | Should -Be 200, 0
        (Find-IoStorage $csv -Cloud azure)[0].Storage | Should -Be 'azure:P10'
        (Get-Content -Raw $csv) | Should -Not -Match 'file_handle'
        (Get-ErrorOf { New-IoWorkload -SqlInstance SQL1 -Minutes 0.1 -SnapshotPath $csv }).FullyQualifiedErrorId | Should -BeLike 'IoBench.OutputNotRecognized,*'
    }

    It 'passes the login' {
        $login = [pscredential]::new('reader', (ConvertTo-SecureString 'x' -AsPlainText -Force))
        $null = New-IoWorkload -SqlInstance SQL2 -SqlCredential $login -Minutes 0.1
        $calls.Where({ $_.Instance -eq 'SQL2' }).Login | Should -Be 'reader', 'reader'
    }

    It 'says which instance cannot be queried: <Instance>' -ForEach @(
        @{ Instance = 'SQLDOWN'; Words = 'Invoke-DbaQuery cannot query SQLDOWN: Login failed.*' }
        @{ Instance = 'SQLEMPTY'; Words = 'Invoke-DbaQuery returned no rows from SQLEMPTY*' }
    ) {
        $problem = Get-ErrorOf { New-IoWorkload -SqlInstance $Instance -Minutes 0.1 }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.QueryFailed,IoBench.PowerShell.NewIoWorkloadCommand'
        $problem.Exception.Message | Should -BeLike $Words
    }

    It 'names the modules that it needs' -Skip:($null -ne (Get-Command Invoke-Sqlcmd -ErrorAction Ignore)) {
        $own = Get-Item Function:\Invoke-DbaQuery
        Remove-Item Function:\Invoke-DbaQuery
        try {
            $problem = Get-ErrorOf { New-IoWorkload -SqlInstance SQL1 }
            $problem.FullyQualifiedErrorId | Should -Be 'IoBench.NoSqlClient,IoBench.PowerShell.NewIoWorkloadCommand'
        } finally {
            Set-Item Function:\global:Invoke-DbaQuery $own.ScriptBlock
        }
    }
}
