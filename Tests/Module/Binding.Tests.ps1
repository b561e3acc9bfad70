# What one object of the pipeline says is for that object alone; and relative names mean PowerShell's location, wherever the process is.
BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $single = Join-Path $samples 'documents' 'write-8k-sequential-BN.txt'
}

Describe 'Pipeline objects that differ' {
    It 'New-IoTestFile: a size is of its own row, a blank cell is no size' {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'sizes')).FullName
        Set-Content "$folder/sizes.csv" 'Path,FileSize', "$folder/a.dat,2MB", "$folder/b.dat,", "$folder/c.dat,1MB"
        $said = pwsh -NoProfile -NonInteractive -Command "Import-Module '$repository/IoBench.psd1'; Import-Csv '$folder/sizes.csv' | New-IoTestFile -WhatIf"
        $said[0] | Should -BeLike '*test file of 2 MB*a.dat*'
        $said[1] | Should -BeLike '*b.dat*'
        $said[1] | Should -Not -BeLike '*test file of [12] MB*'
        $said[2] | Should -BeLike '*test file of 1 MB*c.dat*'
    }

    It 'New-IoTestFile, Remove-IoTestFile: Path and LiteralPath may take turns' {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'turns')).FullName
        $objects = [pscustomobject]@{ Path = "$folder/a.dat"; FileSize = '1MB' }, [pscustomobject]@{ FullName = "$folder/b[1].dat"; FileSize = '2MB' }, [pscustomobject]@{ Path = "$folder/c.dat"; FileSize = '1MB' }
        ($objects | New-IoTestFile).ForEach({ "$($_.Name) $($_.Length)" }) | Should -Be "a.dat $(1MB)", "b[1].dat $(2MB)", "c.dat $(1MB)"
        [pscustomobject]@{ PhysicalName = "$folder/b[1].dat" }, [pscustomobject]@{ Path = "$folder/a.dat" } | Remove-IoTestFile
        (Get-ChildItem $folder).Name | Should -Be 'c.dat'
    }

    It '<_>: a path and a literal path may take turns' -ForEach 'Import-IoResult', 'Import-SqlioResult' {
        $file = Join-Path $TestDrive 'run[1].txt'
        [System.IO.File]::Copy($single, $file, $true)
        $results = [pscustomobject]@{ FullName = $file }, [pscustomobject]@{ Path = $single }, [pscustomobject]@{ FullName = $file } | & $_
        $results.SourceFile | Should -Be $file, $single, $file
    }

    It 'Import-DiskSpdResult: a path and a literal path may take turns' {
        $run = Join-Path $samples 'diskspd-runs' 'v21-Sh.out'
        ([pscustomobject]@{ FullName = $run }, [pscustomobject]@{ Path = $run } | Import-DiskSpdResult).SourceFile | Should -Be $run, $run
    }

    It 'ConvertFrom-IoCommandLine: files are read one by one' {
        Set-Content (Join-Path $TestDrive 'a.cmd') 'sqlio -kR -s10 -frandom -o2 -b8 -LS a.dat'
        Set-Content (Join-Path $TestDrive 'b.cmd') 'diskspd -d5 -r b.dat'
        $tests = [pscustomobject]@{ FullName = "$TestDrive/a.cmd" }, [pscustomobject]@{ FullName = "$TestDrive/b.cmd" } | ConvertFrom-IoCommandLine
        $tests.SourceFile | Should -Be "$TestDrive/a.cmd", "$TestDrive/b.cmd"
    }
}

Describe 'What comes through the pipeline to Invoke-IoTest' {
    BeforeAll {
        $quick = @{ FileSize = '8MB'; Duration = 0.1; WarmUp = 0; Backend = 'Null'; WarningAction = 'SilentlyContinue'; WarningVariable = 'said' }
        $a, $b = "$TestDrive/a.dat", "$TestDrive/b.dat"
        $null = $quick
    }

    It 'is of its own object: nothing of one is of the next' {
        $rows = [pscustomobject]@{ Path = $a; BlockSize = '64KB'; OutstandingIO = 2; Label = 'x' }, [pscustomobject]@{ Path = $a; BlockSize = '8KB' }, [pscustomobject]@{ Path = $a; WritePercent = 100 }, [pscustomobject]@{ Path = $a }
        $results = $rows | Invoke-IoTest @quick
        $results.ForEach({ "$($_.BlockSizeKB) $($_.OutstandingIO) $($_.WritePercent) $($_.Label)" }) | Should -Be '64 2 0 x', '8 8 0 ', '8 8 100 ', '8 8 0 '
    }

    It 'runs equal rows each' {
        ([pscustomobject]@{ Path = $a }, [pscustomobject]@{ Path = $a }, [pscustomobject]@{ Path = $a } | Invoke-IoTest @quick).Count | Should -Be 3
    }

    It 'takes every setting as a column' {
        $columns = @{
            CoolDown = '50ms'; Buffering = 'Hardware'; MaxRate = '1000 IOPS'; Seed = '7'; StorageCacheSize = '4GB'; StopAboveMs = '900'; FlushEvery = '16'; WriteContent = 'random'; WritePercent = '30'; Affinity = '0'
            RandomPercent = '20'; BurstSize = '4'; ThinkTime = '5ms'; CompressiblePercent = '50'; Priority = 'low'; LargePages = 'false'; NullServiceMs = '0.5'; TimelineInterval = '500ms'; Distribution = ''
        }
        $row = [pscustomobject](@{ Path = $a } + $columns)
        $test = ($row | Invoke-IoTest @quick).Specification
        $said | Where-Object { $_ -match 'not a setting' } | Should -BeNullOrEmpty
        $test.CoolDown.TotalMilliseconds, $test.SeedBase, $test.StorageCacheSize, $test.StopAboveMs, $test.TimelineInterval.TotalMilliseconds, $test.NullDevice.MeanMs | Should -Be 50, 7, 4GB, 900, 500, 0.5
        $test.Buffering, $test.MaxIopsPerThread, $test.FlushEvery, $test.WriteContent, $test.RandomPercent, $test.BurstSize, $test.ThinkTimeMs, $test.CompressiblePercent, $test.Priority |
            Should -Be Hardware, 250, 16, Random, 20, 4, 5, 50, Low
        # And there is no setting that is not a column.
        foreach ($name in [IoBench.Application.OptionTables]::Columns.Name) { [IoBench.Application.OptionTables]::FindColumn($name) | Should -Not -BeNullOrEmpty }
    }

    It 'takes a blank cell as not given' {
        $csv = 'Path,BlockSize,QD,Duration,WritePercent,Label', "$a,,,,,", "$b,64KB,2,,30,y" | ConvertFrom-Csv
        ($csv | Invoke-IoTest @quick).ForEach({ "$($_.BlockSizeKB) $($_.OutstandingIO) $($_.WritePercent) $($_.Label)" }) | Should -Be '8 8 0 ', '64 2 30 y'
    }

    It 'warns once of a column that is no setting, with the name that may be meant' {
        $null = 'Path,BlokSize,Comment', "$a,64KB,mine", "$b,8KB,mine" | ConvertFrom-Csv | Invoke-IoTest @quick
        @($said -match 'IoBench ignores').ForEach({ "$_" }) | Should -Be 'IoBench ignores BlokSize, because a test has no setting with this name. Did you mean BlockSize? [IoBench.UnknownSetting]', 'IoBench ignores Comment, because a test has no setting with this name. [IoBench.UnknownSetting]'
    }

    It 'says nothing of what other tools'' objects have' {
        Set-Content $a 'x'
        (Get-Item $a), [pscustomobject]@{ SqlInstance = 'SQL1'; Database = 'x'; PhysicalName = $b; Size = 8 } | Invoke-IoTest @quick | Should -HaveCount 2
        $said -match 'not a setting' | Should -BeNullOrEmpty
        # A volume's block size is no block size of a test.
        Add-Type -TypeDefinition 'public class ModuleTestVolume { public string Path { get; set; } public int BlockSize { get { return 4096; } } }'
        ([ModuleTestVolume]@{ Path = $b } | Invoke-IoTest @quick).BlockSizeKB | Should -Be 8
    }

    It 'takes hashtables and rows of databases' {
        $table = [System.Data.DataTable]::new()
        foreach ($name in 'Path', 'BlockSize', 'Label') { $null = $table.Columns.Add($name) }
        $null = $table.Rows.Add($a, '64KB', [System.DBNull]::Value)
        $results = @(@{ Path = $b; QD = 3 }; $table) | Invoke-IoTest @quick
        $results.ForEach({ "$($_.Path) $($_.BlockSizeKB) $($_.OutstandingIO)" }) | Should -Be "$b 8 3", "$a 64 8"
        $said -match 'not a setting' | Should -BeNullOrEmpty
    }

    It 'lets what was given by hand win over a column' {
        ([pscustomobject]@{ Path = $a; OutstandingIO = 3; BlockSize = '64KB' } | Invoke-IoTest @quick -QD 5).ForEach({ "$($_.OutstandingIO) $($_.BlockSizeKB)" }) | Should -Be '5 64'
        ([pscustomobject]@{ BlockSize = '64KB' } | Invoke-IoTest $b @quick).ForEach({ "$($_.Path) $($_.BlockSizeKB)" }) | Should -Be "$b 64"
    }

    It 'moves no test to a place that came as another object' {
        $test = New-IoTestSpecification $a -BlockSize 64KB
        ($test, $b, $test | Invoke-IoTest @quick).ForEach({ "$($_.Path) $($_.BlockSizeKB)" }) | Should -Be "$a 64", "$b 8", "$a 64"
    }

    It 'tests paths of equal settings together where that is asked for, and no others' {
        ($a, $b | Invoke-IoTest @quick -PathMode Together).TargetCount | Should -Be 2
        ([pscustomobject]@{ Path = $a; QD = 1 }, [pscustomobject]@{ Path = $b; QD = 2 } | Invoke-IoTest @quick -PathMode Together).TargetCount | Should -Be 1, 1
    }

    It 'makes no file of a default size for an old command line' {
        Push-Location -LiteralPath $TestDrive
        (Get-ErrorOf { Invoke-IoTest -CommandLine 'sqlio -kR -s1 -frandom -o1 -b8 -LS none.dat' }).FullyQualifiedErrorId | Should -Be 'IoBench.FileNotFound,IoBench.PowerShell.InvokeIoTestCommand'
        Pop-Location
        "$TestDrive/none.dat" | Should -Not -Exist
    }
}

Describe 'Relative names' {
    BeforeAll {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'here')).FullName
        Copy-Item -LiteralPath $single -Destination "$folder/run.txt"
        Push-Location -LiteralPath $folder
        # The process is elsewhere, as it is after Set-Location.
        [System.Environment]::CurrentDirectory | Should -Not -Be $folder
    }

    AfterAll { Pop-Location }

    It 'of targets in command lines' {
        (ConvertFrom-IoCommandLine 'diskspd -b8K -d1 x.dat').Targets.Path | Should -Be "$folder/x.dat"
        Set-Content batch.cmd 'sqlio -kR -s1 -frandom -o1 -b8 -LS y.dat'
        (ConvertFrom-IoCommandLine -Path batch.cmd).Targets.Path | Should -Be "$folder/y.dat"
        (ConvertFrom-IoCommandLine 'sqlio -kR -s1 -frandom -o1 -b8 -LS C:\z.dat').Targets.Path | Should -Be 'C:\z.dat'
    }

    It 'of targets in a parameter file' {
        Set-Content param.txt 'p.dat 1 0x0 8'
        $result = Invoke-IoTest -ParameterFile param.txt -Backend Null -Duration 0.1 -WarmUp 0 -WarningAction SilentlyContinue
        $result.Path | Should -Be "$folder/p.dat"
    }

    It 'of files to read and to write' {
        (Import-IoResult run.txt).SourceFile | Should -Be "$folder/run.txt"
        (Import-IoResult run.txt | Export-IoResult r.json -PassThru).FullName | Should -Be "$folder/r.json"
        (Import-IoResult run.txt | Export-IoReport r.html -PassThru -Baseline r.json).FullName | Should -Be "$folder/r.html"
        (Import-IoResult run.txt | Compare-IoResult r.json).Count | Should -Be 1
        (Get-IoHistory r.json -AsResult).Count | Should -Be 1
        Set-Content rules.json '{ "rules": [ { "maxLatencyMs": 1e9, "anyLoad": true } ] }'
        Import-IoResult run.txt | Test-IoResult rules.json -Quiet | Should -BeTrue
        (New-IoTestFile n.dat -FileSize 1MB).FullName | Should -Be "$folder/n.dat"
        Remove-IoTestFile n.dat
        "$folder/n.dat" | Should -Not -Exist
    }
}

Describe 'What an object says as text' {
    It 'names a result with its figures' {
        "$(New-TestResult)" | Should -Be 'page-read-qd1 on T:\iobench.dat: 12,172 IOPS, 95.1 MiB/s, 0.082 ms'
        "$([IoBench.Engine.IoTestResult]@{ IOPattern = '8KB random read'; Status = 'Failed' })" | Should -Be '8KB random read: failed'
    }

    It 'names a comparison, a verdict, a trend and a test' {
        "$((New-TestResult -Label Old), (New-TestResult -Label New -Iops 24344) | Compare-IoResult Old)" | Should -Match '^page-read-qd1: New compared with Old: inconclusive, IOPS \+100\.0%'
        "$(New-TestResult | Test-IoResult | Select-Object -First 1)" | Should -Match '^page-read-qd1: Pass: '
        "$(ConvertFrom-IoCommandLine 'diskspd -b8K -d1 -r C:\x.dat')" | Should -Be '8KB random read on C:\x.dat'
        "$(Get-IoRuleSet flash)" | Should -Be 'flash'
    }

    It 'compares sizes and durations with numbers and text' {
        [IoBench.Engine.IoSize]'1GB' -gt 500MB | Should -BeTrue
        [IoBench.Engine.IoSize]'1GB' -lt '2GB' | Should -BeTrue
        500MB -lt [IoBench.Engine.IoSize]'1GB' | Should -BeTrue
        1.5GB -gt [IoBench.Engine.IoSize]'1GB' | Should -BeTrue
        30GB -lt [IoBench.Engine.IoSize]'20GB' | Should -BeFalse
        1GB -eq [IoBench.Engine.IoSize]'1GB' | Should -BeTrue
        # PowerShell makes the right side what the left is: a number of 32 bits holds no 20 GB, and becomes no other number.
        { 500MB -lt [IoBench.Engine.IoSize]'20GB' } | Should -Throw
        500L -lt [IoBench.Engine.IoSize]'20GB' | Should -BeTrue
        [IoBench.Engine.IoDuration]'5m' -gt 60 | Should -BeTrue
        ([IoBench.Engine.IoSize[]]('8KB', '1GB', '64KB') | Sort-Object).ForEach({ "$_" }) | Should -Be '8KB', '64KB', '1GB'
    }
}
