BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    function New-CapRun {
        param([int] $BlockKB, [int] $Load, [double] $Iops)
        $run = New-TestResult -Iops $Iops -Workload find-cap
        $run.BlockSizeKB = $BlockKB
        $run.TotalOutstanding = $Load
        $run.AverageLatencyMs = $Load / $Iops * 1000
        $run.Timeline.Clear()
        foreach ($second in 1..20) { $run.Timeline.Add([IoBench.Engine.IoTimelinePoint]@{ Seconds = $second; IOPS = $Iops + $second % 3 }) }
        $run
    }
}

Describe 'Find-IoCap' {
    It 'names an IOPS limit and what was bought' {
        $runs = foreach ($size in 8, 64, 256) { foreach ($load in 32, 128) { New-CapRun $size $load 4998 } }
        $cap = $runs | Find-IoCap -Provisioned @{ IOPS = 5000; Throughput = '200 MB/s' }
        $cap.Kind | Should -Be 'Iops'
        $cap.Summary | Should -BeLike '*an IOPS limit of 5,000, not the speed of the disk.*'
        $cap.Checks.IsMet | Should -Be $true, $true
    }

    It 'knows what a cloud sells by its name' {
        $runs = foreach ($size in 8, 64, 256) { foreach ($load in 32, 128) { New-CapRun $size $load 4998 } }
        $cap = $runs | Find-IoCap -Provisioned azure:P30 -WarningVariable warned -WarningAction SilentlyContinue
        $cap.Summary | Should -BeLike '*The rate matches the IOPS limit of azure:P30 (5,000 IOPS).*'
        "$warned" | Should -BeLike '*azure:P30 are from 2023-03-16*more than one year ago*'
        (Get-ErrorOf { $runs | Find-IoCap -Provisioned azure:P31 }).Exception.Message | Should -BeLike '*Similar names are *azure:P30*'
        $report = Join-Path $TestDrive 'cap.html'
        $cap.Results | Export-IoReport $report -Provisioned azure:P30 -Storage Cloud
        [System.Net.WebUtility]::HtmlDecode((Get-Content -Raw $report)) | Should -BeLike '*The rate matches the IOPS limit of azure:P30*Storage type: cloud.*'
    }

    It 'shows throughput in the units that are asked for' {
        $runs = (New-CapRun 64 32 1000), (New-CapRun 64 128 3000)
        ($runs | Find-IoCap -WarningAction SilentlyContinue).Summary | Should -BeLike '*still increases*188 MiB/s*'
        ($runs | Find-IoCap -Units Si -WarningAction SilentlyContinue).Summary | Should -BeLike '*still increases*197 MB/s*'
    }

    It 'takes what was bought from an object too, a row of a CSV file for example' {
        $runs = foreach ($size in 8, 64, 256) { foreach ($load in 32, 128) { New-CapRun $size $load 4998 } }
        ($runs | Find-IoCap -Provisioned ([pscustomobject]@{ IOPS = '5000'; Throughput = '200 MB/s' })).Checks.Name | Should -Be 'IOPS', 'Throughput'
        ($runs | Find-IoCap -Provisioned ([ordered]@{ IOPS = 5000 })).Checks.Name | Should -Be 'IOPS'
    }

    It 'refuses a throughput without a unit, and results that cannot tell' {
        (Get-ErrorOf { New-CapRun 8 32 100 | Find-IoCap -Provisioned @{ Throughput = 150 } }).FullyQualifiedErrorId | Should -Be "IoBench.InvalidSpecification,$(Get-ErrorSource Find-IoCap)"
        (Get-ErrorOf { New-CapRun 8 32 100 | Find-IoCap }).FullyQualifiedErrorId | Should -Be "IoBench.NoCapRuns,$(Get-ErrorSource Find-IoCap)"
    }

    It 'takes a name with brackets as it is' {
        $place = Join-Path $TestDrive 'disk[1]'
        $null = New-Item -ItemType Directory $place
        $run = @{ FileSize = '1MB'; Duration = 0.1; WarmUp = 0; BlockSize = '8KB', '64KB'; OutstandingIO = 4, 16; WarningAction = 'SilentlyContinue' }
        (Find-IoCap -LiteralPath $place @run) | Should -BeOfType IoBench.Analysis.CapResult
        [System.IO.File]::Exists((Join-Path $place 'iobench.dat')) | Should -BeTrue
        (Find-IoCap -LiteralPath $place @run -RemoveTestFile) | Should -BeOfType IoBench.Analysis.CapResult
        [System.IO.File]::Exists((Join-Path $place 'iobench.dat')) | Should -BeFalse
    }

    It 'runs nothing with -WhatIf' {
        $place = New-Item -ItemType Directory (Join-Path $TestDrive 'untouched')
        Find-IoCap $place -FileSize 1MB -WhatIf | Should -BeNullOrEmpty
        Get-ChildItem $place | Should -BeNullOrEmpty
    }

    It 'tests paths and objects with a path from the pipeline together' {
        $run = @{ FileSize = '2MB'; Duration = 0.1; WarmUp = 0; BlockSize = '8KB', '64KB'; OutstandingIO = 4, 16; Backend = 'Null'; WarningAction = 'SilentlyContinue'; WarningVariable = 'said' }
        $a, $b = "$TestDrive/cap-a.dat", "$TestDrive/cap-b.dat"
        ($a | Find-IoCap @run).Results.Path | Sort-Object -Unique | Should -Be $a
        $caps = [pscustomobject]@{ Path = $a; BlockSize = '4KB' }, [pscustomobject]@{ PhysicalName = $b } | Find-IoCap @run
        $caps.Results.Path | Select-Object -Unique | Should -Be $a, $b, "$a; $b"
        $said.ForEach({ "$_" }) -match 'IoBench ignores' | Should -Be 'IoBench ignores BlockSize, because this command does not accept this option as a table column. [IoBench.UnknownSetting]'
    }

    It 'says in one error what does not go with results' {
        $runs = foreach ($load in 32, 128) { New-CapRun 8 $load 4998 }
        { @($runs) + 'x.dat' | Find-IoCap } | Should -Throw -ErrorId "IoBench.ConflictingOptions,$(Get-ErrorSource Find-IoCap)"
        { $runs | Find-IoCap -Duration 5 } | Should -Throw '-Duration applies to new tests*' -ErrorId "IoBench.ConflictingOptions,$(Get-ErrorSource Find-IoCap)"
    }

    It 'knows the size of the storage''s cache' {
        $run = @{ FileSize = '2MB'; Duration = 0.1; WarmUp = 0; BlockSize = '8KB', '64KB'; OutstandingIO = 4, 16 }
        $file = "$TestDrive/cache.dat"
        $null = Find-IoCap $file @run -WarningVariable said -WarningAction SilentlyContinue
        "$said" | Should -BeLike '*Use a larger file, or set -StorageCacheSize*'
        $null = Find-IoCap $file @run -StorageCacheSize 0 -WarningVariable said -WarningAction SilentlyContinue
        "$said" | Should -Not -BeLike '*might fit into a cache*'
    }
}
