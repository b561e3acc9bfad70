BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Measure-IoCommit' {
    It 'returns one measurement per method and number of committers, with the advice' {
        $file = Join-Path $TestDrive 'commit.dat'
        $report = Join-Path $TestDrive 'commit.html'
        $lines = $null
        $found = Measure-IoCommit $file -Duration 150ms -Committers 1, 4 -FileSize 8MB -RemoveTestFile -ReportPath $report -InformationVariable lines -WarningAction SilentlyContinue 6> $null
        $found | Should -HaveCount 8
        $found[0] | Should -BeOfType ([IoBench.Analysis.CommitMeasurement])
        $found.Method | Select-Object -Unique | Should -Be 'WriteThrough', 'FlushEach', 'GroupedFlush', 'BufferedFlush'
        $found.CommitsPerSecond | ForEach-Object { $_ | Should -BeGreaterThan 0 }
        $found[0].Result.Findings[0].Code | Should -Be 'Commit.Settings'
        "$lines" | Should -BeLike "*$($found[0].Result.Summary)*"
        Get-Content $report -Raw | Should -BeLike '*Commit methods tested on*'
        Test-Path $file | Should -BeFalse
    }

    It 'has a table of <Width> columns' -ForEach @{ Width = 79 }, @{ Width = 119 } {
        $found = [IoBench.Analysis.CommitMeasurement]@{
            Method = 'GroupedFlush'; Committers = 8; WriteSize = 4096; CommitsPerSecond = 14300.4; RoundRates = [double[]] (1, 2)
            AverageMs = 0.5559; P99Ms = 6.1; WriteCount = 100
            DeviceCounts = [IoBench.Engine.CommitDeviceCounts]@{ Devices = [string[]] 'sda'; Writes = 100; WriteBytes = 409600; Reads = 0; Flushes = 7; FuaWrites = 0 }
        }
        $lines = ($found | Out-String -Width ($Width + 1) -Stream).Where({ $_ })
        ($lines | Measure-Object -Property Length -Maximum).Maximum | Should -Be $Width
        $lines[0] | Should -Be '   4 KB, overwriting, aligned'
        $lines[-1] | Should -Match '^write \+ grouped flush +8 +14,300 +0\.556 +6\.100'
        if ($Width -gt 100) { $lines[-1] | Should -Match ' 0\.07 +0\.00$' }
    }

    It 'predicts an availability group with a replica' {
        $secret = Join-Path $TestDrive 'secret.txt'
        Set-Content $secret 'a-secret-of-this-test'
        (Get-ErrorOf { Measure-IoCommit (Join-Path $TestDrive 'g.dat') -Replica '127.0.0.1:1' -SecretFile $secret }).FullyQualifiedErrorId | Should -BeLike 'IoBench.ReplicaUnreachable,*'
        (Get-ErrorOf { Measure-IoCommit (Join-Path $TestDrive 'g.dat') -Redo }).FullyQualifiedErrorId | Should -BeLike 'IoBench.Usage,*'
        Test-Path (Join-Path $TestDrive 'g.dat') | Should -BeFalse
    }

    It 'has a table of a replica in <Width> columns' -ForEach @{ Width = 79 }, @{ Width = 119 } {
        $found = [IoBench.Analysis.ReplicaMeasurement]@{
            Method = 'GroupedFlush'; Committers = 8; WriteSize = 4096; HasRedo = $true; CommitsPerSecond = 1430.4; RoundRates = [double[]] (1, 2)
            AverageMs = 5.559; P99Ms = 6.1; NetworkP99Ms = 5.5; LocalDiskP99Ms = 0.6; LongestPart = 'Network'
        }
        $lines = ($found | Out-String -Width ($Width + 1) -Stream).Where({ $_ })
        ($lines | Measure-Object -Property Length -Maximum).Maximum | Should -Be $Width
        $lines[0] | Should -Be '   4 KB, with a replica'
        $lines[-1] | Should -Match '^write \+ grouped flush, redo +8 +1,430 +5\.559 +6\.100'
        if ($Width -gt 100) { $lines[-1] | Should -Match ' Network +5\.500 +0\.600$' }
    }

    It 'does nothing with -WhatIf' {
        $file = Join-Path $TestDrive 'whatif.dat'
        Measure-IoCommit $file -FileSize 8MB -WhatIf | Should -BeNullOrEmpty
        Test-Path $file | Should -BeFalse
    }

    It 'refuses a file of others and leaves it as it is' {
        $file = Join-Path $TestDrive 'theirs.dat'
        Set-Content $file 'theirs'
        $failed = $null
        Measure-IoCommit $file -Duration 150ms -FileSize 8MB -ErrorVariable failed -ErrorAction SilentlyContinue
        $failed[0].FullyQualifiedErrorId | Should -BeLike 'IoBench.ForeignFile,*'
        Get-Content $file | Should -Be 'theirs'
    }

    It 'refuses a size that is not a multiple of 512 bytes' {
        (Get-ErrorOf { Measure-IoCommit (Join-Path $TestDrive 'n.dat') -WriteSize 700 }).FullyQualifiedErrorId | Should -BeLike 'IoBench.InvalidValue,*'
    }
}
