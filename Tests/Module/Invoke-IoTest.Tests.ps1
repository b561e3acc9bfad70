BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    # Files of a few MB and parts of a second: what is tested is the cmdlet, not the storage. Null is the backend without a device.
    $quick = @{ FileSize = '8MB'; Duration = 0.2; WarmUp = 0; WarningAction = 'SilentlyContinue' }
    $null = $quick
}

Describe 'Invoke-IoTest' {
    BeforeEach {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive ([guid]::NewGuid()))).FullName
    }

    Context 'what it runs' {
        It 'tests iobench.dat of a folder with 8 KB random reads, 4 x 8 outstanding' {
            $result = Invoke-IoTest $folder @quick
            $result | Should -BeOfType IoBench.Engine.IoTestResult
            $result.Status | Should -Be 'Complete'
            $result.Path | Should -Be (Join-Path $folder 'iobench.dat')
            $result.FileSizeMB | Should -Be 8
            $result.IOPattern | Should -Be '8KB random read'
            $result.ThreadCount | Should -Be 4
            $result.OutstandingIO | Should -Be 8
            $result.IOPS | Should -BeGreaterThan 0
        }

        It 'runs every combination of lists, the last fastest' {
            $results = Invoke-IoTest $folder @quick -Backend Null -BlockSize 8KB, 64KB -OutstandingIO 1, 4
            $results.BlockSizeKB | Should -Be 8, 8, 64, 64
            $results.OutstandingIO | Should -Be 1, 4, 1, 4
        }

        It 'runs workloads and suites by name' {
            $results = Invoke-IoTest $folder @quick -Backend Null -Workload sql-server
            $results.Workload | Should -Be (Get-IoWorkload sql-server).Members
        }

        It 'takes threads by number or one per processor' {
            (Invoke-IoTest $folder @quick -Backend Null -ThreadCount Auto).ThreadCount | Should -Be ([math]::Min(256, [environment]::ProcessorCount))
            (Invoke-IoTest $folder @quick -Backend Null -ThreadCount 1, 2).ThreadCount | Should -Be 1, 2
            { Invoke-IoTest $folder -ThreadCount many } | Should -Throw -ErrorId 'IoBench.InvalidThreadCount,IoBench.PowerShell.InvokeIoTestCommand'
        }

        It 'repeats, with a label per path' {
            $results = Invoke-IoTest (Join-Path $folder 'a.dat'), (Join-Path $folder 'b.dat') @quick -Backend Null -Repeat 2 -Label Old, New
            $results.Label | Should -Be Old, New, Old, New
            $results.Repeat | Should -Be 1, 1, 2, 2
        }

        It 'tests several paths at once with -PathMode Together, and each first with Both' {
            $paths = (Join-Path $folder 'a.dat'), (Join-Path $folder 'b.dat')
            (Invoke-IoTest $paths @quick -Backend Null -PathMode Together).TargetCount | Should -Be 2
            ($paths | Invoke-IoTest @quick -Backend Null -PathMode Both).TargetCount | Should -Be 1, 1, 2
        }

        It 'passes on <Name>' -ForEach @(
            @{ Name = 'Buffering'; Value = 'Hardware'; Expected = 'Hardware'; Property = { $_.Buffering } }
            @{ Name = 'TargetIops'; Value = 500; Expected = 'Open'; Property = { $_.LoadModel } }
            @{ Name = 'Seed'; Value = 7; Expected = 7; Property = { $_.Specification.SeedBase } }
            @{ Name = 'Alignment'; Value = '4KB'; Expected = 4096; Property = { $_.Specification.Alignment } }
            @{ Name = 'ThreadStride'; Value = '64KB'; Expected = 65536; Property = { $_.Specification.ThreadStride }; Beside = @{ AccessPattern = 'Sequential' } }
            @{ Name = 'BlockMix'; Value = '8KB:60,64KB:40'; Expected = '8KB:60/64KB:40 random read'; Property = { $_.IOPattern } }
            @{ Name = 'ReadOutstanding'; Value = 3; Expected = '8KB random 3 reads + 2 writes'; Property = { $_.IOPattern }; Beside = @{ WriteOutstanding = 2 } }
            @{ Name = 'WriteOutstanding'; Value = 2; Expected = 5; Property = { $_.TotalOutstanding }; Beside = @{ ReadOutstanding = 3; ThreadCount = 1 } }
            @{ Name = 'DedupablePercent'; Value = 30; Expected = 30; Property = { $_.Specification.DedupablePercent }; Beside = @{ WritePercent = 100 } }
            @{ Name = 'Precondition'; Value = '0.5x'; Expected = 0.5; Property = { $_.Specification.Precondition } }
            @{ Name = 'BaseOffset'; Value = '1MB'; Expected = 1MB; Property = { $_.Specification.Targets[0].BaseOffset } }
            @{ Name = 'MaxOffset'; Value = '2MB'; Expected = 2MB; Property = { $_.Specification.Targets[0].MaxOffset } }
            @{ Name = 'Distribution'; Value = '90/10', '10/90'; Expected = 90, 10; Property = { $_.Specification.Distribution.IOPercent } }
            @{ Name = 'Distribution'; Value = 'zipf:1.1'; Expected = 1.1; Property = { $_.Specification.ZipfTheta } }
            @{ Name = 'CompressiblePercent'; Value = 30; Expected = 30; Property = { $_.Specification.CompressiblePercent }; Beside = @{ WritePercent = 100 } }
            @{ Name = 'TimelineInterval'; Value = '100ms'; Expected = 100; Property = { $_.Specification.TimelineInterval.TotalMilliseconds } }
            @{ Name = 'MaxRate'; Value = '1000 IOPS'; Expected = 250; Property = { $_.Specification.MaxIopsPerThread } }
            @{ Name = 'RandomPercent'; Value = 20; Expected = 'PartRandom'; Property = { $_.AccessPattern } }
            @{ Name = 'StorageCacheSize'; Value = '4GB'; Expected = 4GB; Property = { $_.Specification.StorageCacheSize } }
            @{ Name = 'StopAboveMs'; Value = 900; Expected = 900; Property = { $_.Specification.StopAboveMs } }
            @{ Name = 'CoolDown'; Value = '50ms'; Expected = 50; Property = { $_.Specification.CoolDown.TotalMilliseconds } }
            @{ Name = 'Affinity'; Value = '0'; Expected = '0'; Property = { $_.Specification.Processors -join ',' } }
            @{ Name = 'WriteContent'; Value = 'Zero'; Expected = 'Zero'; Property = { $_.Specification.WriteContent } }
            @{ Name = 'FlushEvery'; Value = 16; Expected = 16; Property = { $_.Specification.FlushEvery } }
        ) {
            # Expert settings are columns of a table, and parameters of New-IoTestSpecification.
            $row = @{ Path = $folder }
            $more = @{}
            foreach ($setting in (@{ $Name = $Value } + ($Beside ?? @{})).GetEnumerator()) { ((Get-Command Invoke-IoTest).Parameters.ContainsKey($setting.Key) ? $more : $row)[$setting.Key] = $setting.Value }
            [pscustomobject]$row | Invoke-IoTest @quick -Backend Null @more | ForEach-Object $Property | Should -Be $Expected
        }

        It 'uses the specified arrivals, and reports a rate that was not reached' {
            ([pscustomobject]@{ Path = $folder; Arrivals = 'Poisson' } | Invoke-IoTest @quick -Backend Null -TargetIops 200).Specification.Arrivals | Should -Be 'Poisson'
            (Invoke-IoTest $folder @quick -Backend Null -TargetIops 1e9).RateReachedPercent | Should -BeLessThan 97
            Invoke-IoTest $folder @quick -Backend Null -TargetIops 1e9 -ErrorAction Stop | Should -Not -BeNullOrEmpty
        }

        It 'says what is wrong with <Name> <Value>' -ForEach @(
            @{ Name = 'FileSize'; Value = 0; Id = 'IoBench.InvalidSize' }
            @{ Name = 'OutstandingIO'; Value = 4097; Id = 'IoBench.InvalidOutstanding' }
            @{ Name = 'WritePercent'; Value = 101; Id = 'IoBench.InvalidWritePercent' }
            @{ Name = 'BlockSize'; Value = 8; Id = 'IoBench.InvalidBlockSize'; Text = '8KB' }
            @{ Name = 'ThreadCount'; Value = 0; Id = 'IoBench.InvalidThreadCount' }
            @{ Name = 'Workload'; Value = 'sql-servr'; Id = 'IoBench.UnknownWorkload'; Text = 'sql-server' }
            @{ Name = 'Duration'; Value = 0; Id = 'IoBench.InvalidDuration' }
        ) {
            $more = @{ $Name = $Value }
            $problem = Get-ErrorOf { Invoke-IoTest $folder @more }
            $problem.FullyQualifiedErrorId | Should -Be "$Id,IoBench.PowerShell.InvokeIoTestCommand"
            $problem.CategoryInfo.Category | Should -BeIn 'InvalidArgument', 'ObjectNotFound'
            if ($_['Text']) { $problem.Exception.Message | Should -Match $Text }
            Get-ChildItem $folder | Should -BeNullOrEmpty
        }

        It 'names parameters, not options of the program, in messages' {
            $problem = Get-ErrorOf { Invoke-IoTest $folder -BlockSize 7000 -FileSize 8MB -Duration 0.2 }
            $problem.Exception.Message | Should -Not -Match '--'
        }
    }

    Context 'the pipeline' {
        It 'takes files with brackets in their names' {
            $file = Join-Path $folder 'test[1].dat'
            New-IoTestFile -LiteralPath $file -FileSize 8MB | Out-Null
            $result = Get-ChildItem -LiteralPath $folder -Filter *.dat | Invoke-IoTest @quick
            $result.Path | Should -Be $file
        }

        It 'takes what Get-DbaDbFile puts out' {
            $result = [pscustomobject]@{ SqlInstance = 'SQL1'; Database = 'x'; PhysicalName = (Join-Path $folder 'p.dat') } | Invoke-IoTest @quick -Backend Null
            $result.Path | Should -Match 'p\.dat'
        }

        It 'takes a table of tests' {
            $csv = Join-Path $TestDrive 'tests.csv'
            @"
Path,BlockSize,OutstandingIO,Duration,AccessPattern,Label
$folder,64KB,2,0.2,Interlocked,one
$folder,8KB,4,200ms,Random,two
"@ | Set-Content $csv
            $results = Import-Csv $csv | Invoke-IoTest -FileSize 8MB -WarmUp 0 -Backend Null -WarningAction SilentlyContinue
            $results.BlockSizeKB | Should -Be 64, 8
            $results.OutstandingIO | Should -Be 2, 4
            $results.AccessPattern | Should -Be Interlocked, Random
            $results.Label | Should -Be one, two
        }

        It 'goes on after a wrong row of a table' {
            $rows = [pscustomobject]@{ Path = $folder; Workload = 'nonsense' }, [pscustomobject]@{ Path = $folder; Workload = 'oltp' }
            $results = $rows | Invoke-IoTest @quick -Backend Null -ErrorAction SilentlyContinue -ErrorVariable problems
            $results.Workload | Should -Be 'oltp'
            $problems.FullyQualifiedErrorId | Should -Be 'IoBench.UnknownWorkload,IoBench.PowerShell.InvokeIoTestCommand'
        }

        It 'takes specifications, workloads and results' {
            $specifications = Get-IoWorkload sql-server -AsSpecification | Select-Object -First 2
            ($specifications | Invoke-IoTest $folder @quick -Backend Null).Workload | Should -Be 'page-read-qd1', 'page-read'
            (Get-IoWorkload oltp | Invoke-IoTest $folder @quick -Backend Null).Workload | Should -Be 'oltp'
            $first = Invoke-IoTest $folder @quick -Backend Null -BlockSize 64KB -OutstandingIO 3
            $again = $first | Invoke-IoTest -WarningAction SilentlyContinue
            $again.BlockSizeKB | Should -Be 64
            $again.OutstandingIO | Should -Be 3
            $again.RunId | Should -Not -Be $first.RunId
        }

        It 'repeats a saved result that <Name> read, as it was made' -ForEach @(
            @{ Name = 'ConvertFrom-Json'; Read = { param($result, $file) $result | Export-IoResult $file -Force; Get-Content -Raw $file | ConvertFrom-Json } }
            @{ Name = 'ConvertTo-Json and ConvertFrom-Json'; Read = { param($result) $result | ConvertTo-Json -Depth 9 | ConvertFrom-Json } }
        ) {
            # Its properties have names of parameters, but a result has no BlockSize: as a row of a table it would be another test.
            $first = Invoke-IoTest $folder @quick -Backend Null -BlockSize 64KB -OutstandingIO 3 -ThreadCount 2 -Label A
            $read = & $Read $first (Join-Path $TestDrive 'saved.json')
            $again = $read | Invoke-IoTest -WarningAction SilentlyContinue
            $again.IOPattern | Should -Be '64KB random read'
            $again.OutstandingIO | Should -Be 3
            $again.ThreadCount | Should -Be 2
            $again.DurationSeconds | Should -Be $first.DurationSeconds
            $again.Label | Should -Be 'A'
            $again.RunId | Should -Not -Be $first.RunId
            # What is given by hand counts, also another place.
            ($read | Invoke-IoTest -Label B -OutstandingIO 5 -WarningAction SilentlyContinue).OutstandingIO | Should -Be 5
            ($read | Invoke-IoTest (Join-Path $folder 'elsewhere.dat') -WarningAction SilentlyContinue).Path | Should -BeLike '*elsewhere.dat'
        }

        It 'says which saved results do not say how they were made, and runs the others' {
            $good = Invoke-IoTest $folder @quick -Backend Null -BlockSize 64KB
            $row = New-TestResult -Path '/t/row.dat' | ConvertTo-IoRow | ConvertTo-Csv | ConvertFrom-Csv
            $saved = $good | ConvertTo-Json -Depth 9 | ConvertFrom-Json
            $results = $row, $saved | Invoke-IoTest -WarningAction SilentlyContinue -ErrorAction SilentlyContinue -ErrorVariable problems
            $results.IOPattern | Should -Be '64KB random read'
            $problems.FullyQualifiedErrorId | Should -Be 'IoBench.NoSpecification,IoBench.PowerShell.InvokeIoTestCommand'
            $problems[0].CategoryInfo.Category | Should -Be 'InvalidArgument'
            $problems[0].Exception.Message | Should -BeLike '*/t/row.dat does not contain the settings of its test*Import-IoResult*'
        }

        It 'takes a specification that ConvertFrom-Json read' {
            $read = New-IoTestSpecification (Join-Path $folder 's.dat') -BlockSize 64KB -OutstandingIO 3 | ConvertTo-Json -Depth 9 | ConvertFrom-Json
            $result = $read | Invoke-IoTest @quick -Backend Null
            $result.IOPattern | Should -Be '64KB random read'
            $result.OutstandingIO | Should -Be 3
        }

        It 'takes old command lines and SQLIO''s parameter file' {
            Push-Location $folder
            $results = Invoke-IoTest -CommandLine 'sqlio -kR -s1 -frandom -o8 -b8 -LS -t2 a.dat', 'diskspd -c8M -d1 -W0 -r -t1 -o4 -b64K -Sh b.dat' @quick -Backend Null
            Pop-Location
            $results.Path | Should -Be "$folder/a.dat", "$folder/b.dat"
            $results.ThreadCount | Should -Be 2, 1
            $results.BlockSizeKB | Should -Be 8, 64
            Set-Content "$folder/param.txt" "$folder/p1.dat 2 0x0 8`n$folder/p2.dat 1 0x0 8"
            $result = Invoke-IoTest -ParameterFile "$folder/param.txt" -BlockSize 64KB -Duration 0.2 -WarmUp 0 -Backend Null -WarningAction SilentlyContinue
            $result.TargetCount | Should -Be 2
            $result.ThreadCount | Should -Be 3
            $result.BlockSizeKB | Should -Be 64
            { Invoke-IoTest -CommandLine 'sqlio -kX' } | Should -Throw -ErrorId 'IoBench.InvalidCommandLine,IoBench.PowerShell.InvokeIoTestCommand'
        }

        It 'takes specifications that went through CliXml' {
            $file = Join-Path $TestDrive 'specification.xml'
            Get-IoWorkload oltp -AsSpecification | Export-Clixml $file
            (Import-Clixml $file | Invoke-IoTest $folder @quick -Backend Null).WritePercent | Should -Be 30
        }

        It 'gives each result as its run ends: what follows may stop it' {
            $results = Invoke-IoTest $folder @quick -Backend Null -OutstandingIO 1, 2, 3 | Select-Object -First 1
            $results.OutstandingIO | Should -Be 1
            Get-EngineThread | Should -BeNullOrEmpty
        }

        It 'does nothing for an empty pipeline' {
            @() | Invoke-IoTest @quick | Should -BeNullOrEmpty
        }
    }

    Context 'safety' {
        It 'makes no file of results with -WhatIf, not even to go on with' {
            Invoke-IoTest $folder -FileSize 8MB -Duration 1s -WhatIf -OutputPath "$folder/none.json" -Resume
            "$folder/none.json" | Should -Not -Exist
        }

        It 'touches nothing and puts nothing out with -WhatIf, and names the real file' {
            $text = pwsh -NoProfile -NonInteractive -Command "Import-Module '$repository/IoBench.psd1'; `$r = Invoke-IoTest '$folder' -Workload sql-server -FileSize 8MB -WhatIf -OutputPath '$folder/out.json'; if (`$r) { 'RESULT' }"
            "$text" | Should -Match 'iobench\.dat'
            "$text" | Should -Match 'create a test file of 8 MB'
            "$text" | Should -Match '9 tests'
            "$text" | Should -Not -Match 'RESULT'
            Get-ChildItem $folder -Force | Should -BeNullOrEmpty
        }

        It 'never writes to a SQL Server file, with any switch' {
            $file = Join-Path $folder 'data.mdf'
            [System.IO.File]::WriteAllBytes($file, [byte[]]::new(1MB))
            foreach ($allowed in @{}, @{ OverwriteFile = 'data.mdf'; ReadDatabase = $true; FillVolume = $true; Force = $true }) {
                $problem = Get-ErrorOf { Invoke-IoTest $file -WritePercent 100 -Duration 0.2 @allowed }
                $problem.FullyQualifiedErrorId | Should -Be 'IoBench.SqlServerFile,IoBench.PowerShell.InvokeIoTestCommand'
                $problem.CategoryInfo.Category | Should -Be 'PermissionDenied'
                $problem.TargetObject | Should -Be $file
            }
            (Get-Item $file).Length | Should -Be 1MB
        }

        It 'writes to a file that IoBench did not create only if -OverwriteFile names it' {
            $file = Join-Path $folder 'theirs.dat'
            $bytes = [byte[]](0..255) * 4096
            [System.IO.File]::WriteAllBytes($file, $bytes)
            $problem = Get-ErrorOf { Invoke-IoTest $file -WritePercent 100 -Duration 0.2 }
            $problem.FullyQualifiedErrorId | Should -Be 'IoBench.ForeignFile,IoBench.PowerShell.InvokeIoTestCommand'
            $problem.ErrorDetails.RecommendedAction | Should -BeLike '*add -OverwriteFile theirs.dat to*'
            $others = @{ Force = $true; FillVolume = $true; ReadDatabase = $true; OverwriteFile = 'other.dat' }
            (Get-ErrorOf { Invoke-IoTest $file -WritePercent 100 -Duration 0.2 @others }).FullyQualifiedErrorId | Should -BeLike 'IoBench.ForeignFile,*'
            [System.Linq.Enumerable]::SequenceEqual([System.IO.File]::ReadAllBytes($file), $bytes) | Should -BeTrue
            $result = Invoke-IoTest $file -Duration 0.2 -WarmUp 0 -WritePercent 100 -OverwriteFile theirs.dat -WarningVariable said -WarningAction SilentlyContinue
            $result.WarningDetails.Code | Should -Contain 'IoBench.TargetOverwritten'
            "$said" | Should -BeLike "*IoBench overwrote $file*"
        }

        It 'lists the refused targets with the output that exists' {
            $file = Join-Path $folder 'theirs.dat'
            [System.IO.File]::WriteAllBytes($file, [byte[]]::new(1MB))
            $output = Join-Path $folder 'out.json'
            [System.IO.File]::WriteAllText($output, '[]')
            $text = pwsh -NoProfile -NonInteractive -Command "Import-Module '$repository/IoBench.psd1'; try { Invoke-IoTest '$file' -WritePercent 100 -OutputPath '$output' -ErrorVariable refused -ErrorAction SilentlyContinue } catch { `$_.FullyQualifiedErrorId }; `$refused.FullyQualifiedErrorId"
            "$text" | Should -Match 'IoBench\.FileExists'
            "$text" | Should -Match 'IoBench\.ForeignFile'
        }

        It 'goes on with good paths after a refused one' {
            $file = Join-Path $folder 'data.mdf'
            [System.IO.File]::WriteAllBytes($file, [byte[]]::new(1MB))
            $results = Invoke-IoTest $file, $folder @quick -WritePercent 100 -ErrorAction SilentlyContinue -ErrorVariable problems
            $results.Path | Should -Be (Join-Path $folder 'iobench.dat')
            $problems.Count | Should -Be 1
        }

        It 'removes its file with -RemoveTestFile and else keeps it and says how to remove it' {
            Invoke-IoTest $folder @quick -InformationVariable notes | Out-Null
            Test-Path (Join-Path $folder 'iobench.dat') | Should -BeTrue
            "$notes" | Should -Match 'Remove-IoTestFile'
            Invoke-IoTest $folder @quick -RemoveTestFile | Out-Null
            Get-ChildItem $folder -Force | Should -BeNullOrEmpty
        }
    }

    Context 'being watched' {
        It 'reports what is really done with -Verbose' {
            $lines = Invoke-IoTest $folder @quick -Verbose 4>&1 | Where-Object { $_ -is [System.Management.Automation.VerboseRecord] }
            "$lines" | Should -Match '1 test, about'
            "$lines" | Should -Match 'IoUring|LinuxAio|Overlapped|Threads'
        }

        It 'reports progress and ends it' {
            $shell = [powershell]::Create()
            $null = $shell.AddScript("Import-Module '$repository/IoBench.psd1'; `$ProgressPreference = 'Continue'; Invoke-IoTest '$folder' -FileSize 8MB -Duration 1 -WarmUp 0 -Backend Null -OutstandingIO 1, 2 -WarningAction SilentlyContinue").Invoke()
            $records = $shell.Streams.Progress
            $records.Where({ $_.StatusDescription -match '^1/2 8KB random read .*IOPS .*MiB/s' }).Count | Should -BeGreaterThan 0
            $records.Where({ $_.StatusDescription -match '^2/2 ' }).Count | Should -BeGreaterThan 0
            $records[-1].RecordType | Should -Be 'Completed'
            $shell.Dispose()
        }

        It 'is silent where progress is not wanted' {
            $shell = [powershell]::Create()
            $null = $shell.AddScript("Import-Module '$repository/IoBench.psd1'; `$global:ProgressPreference = 'SilentlyContinue'; Invoke-IoTest '$folder' -FileSize 8MB -Duration 0.5 -WarmUp 0 -Backend Null -WarningAction SilentlyContinue").Invoke()
            $shell.Streams.Progress.Count | Should -Be 0
            $shell.Dispose()
        }
    }

    Context 'being stopped' {
        It 'ends at Ctrl+C within seconds and leaves no worker behind' -Skip:(-not $IsLinux) -Tag 'needs Linux' {
            $shell = [powershell]::Create()
            $null = $shell.AddScript("Import-Module '$repository/IoBench.psd1'; Invoke-IoTest '$folder' -FileSize 8MB -Duration 10m -WarmUp 0 -ThreadCount 2")
            $running = $shell.BeginInvoke()
            $deadline = [datetime]::UtcNow.AddSeconds(60)
            while (-not (Get-EngineThread) -and [datetime]::UtcNow -lt $deadline) { Start-Sleep -Milliseconds 50 }
            Get-EngineThread | Should -Not -BeNullOrEmpty
            Start-Sleep -Milliseconds 500
            $watch = [System.Diagnostics.Stopwatch]::StartNew()
            $shell.Stop()
            $watch.Elapsed.TotalSeconds | Should -BeLessThan 15
            $running.IsCompleted | Should -BeTrue
            Get-EngineThread | Should -BeNullOrEmpty
            $shell.Dispose()
        }

        It 'keeps what was finished before Ctrl+C, and -Resume runs the rest' {
            $file = Join-Path $folder 'stopped.json'
            $line = "Import-Module '$repository/IoBench.psd1'; Invoke-IoTest '$folder' -FileSize 8MB -Duration 0.2 -WarmUp 0 -Backend Null -OutstandingIO 1, 2 -Repeat 50 -WarningAction SilentlyContinue -OutputPath '$file'"
            $shell = [powershell]::Create()
            $null = $shell.AddScript($line).BeginInvoke()
            $deadline = [datetime]::UtcNow.AddSeconds(60)
            while (-not ((Test-Path $file) -and (Get-Item $file).Length -gt 1000) -and [datetime]::UtcNow -lt $deadline) { Start-Sleep -Milliseconds 50 }
            $shell.Stop()
            $shell.Dispose()
            $kept = @(Import-IoResult $file)
            $kept.Count | Should -BeGreaterThan 0
            $kept.Count | Should -BeLessThan 100
            $next = Invoke-IoTest $folder -FileSize 8MB -Duration 0.2 -WarmUp 0 -Backend Null -OutstandingIO 1, 2 -Repeat 50 -WarningAction SilentlyContinue -OutputPath $file -Resume | Select-Object -First 1
            "$($next.Repeat) $($next.OutstandingIO)" | Should -Not -BeIn @($kept.Where({ $_.Status -eq 'Complete' }).ForEach({ "$($_.Repeat) $($_.OutstandingIO)" }))
        }

        It 'runs in thread jobs and in parallel' {
            $job = Start-ThreadJob { Import-Module $using:repository/IoBench.psd1; $more = $using:quick; Invoke-IoTest $using:folder @more -Backend Null }
            ($job | Receive-Job -Wait -AutoRemoveJob).Status | Should -Be 'Complete'
            $results = 1..2 | ForEach-Object -Parallel { Import-Module $using:repository/IoBench.psd1; $more = $using:quick; Invoke-IoTest "$using:folder/$_.dat" @more -Backend Null }
            $results.Count | Should -Be 2
        }

        It 'is stopped as a job, and the job''s results are results' {
            $job = Start-Job { Import-Module "$using:repository/IoBench.psd1"; Invoke-IoTest $using:folder -FileSize 8MB -Duration 0.2 -WarmUp 0 -Backend Null -WarningAction SilentlyContinue }
            $result = $job | Receive-Job -Wait -AutoRemoveJob
            $result | Should -BeOfType IoBench.Engine.IoTestResult
            $result.Timeline | Should -Not -BeNullOrEmpty -ErrorAction Continue
        }
    }

    It 'writes metrics for monitoring, and replaces those of the last run' {
        Push-Location -LiteralPath $folder
        try { 1..2 | ForEach-Object { $null = Invoke-IoTest $folder @quick -Backend Null -MetricsPath ./night.prom } }
        finally { Pop-Location }
        Get-Content -Raw (Join-Path $folder 'night.prom') | Should -Match 'iobench_tests\{[^}]*\} 1'
    }

    It 'means a relative witness from where PowerShell is' {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'witness')).FullName
        Push-Location -LiteralPath $folder
        try { $refused = Get-ErrorOf { Test-IoIntegrity t.dat -FileSize 1MB -Duration 0.1 -WarmUp 0 -WritePercent 50 -FlushEvery 1 -Witness ./wit.log -WarningAction SilentlyContinue } }
        finally { Pop-Location }
        # Beside the file it would be lost with it: the refusal names the place that is meant.
        "$refused" | Should -Match ([regex]::Escape((Join-Path $folder 'wit.log')))
    }
}
