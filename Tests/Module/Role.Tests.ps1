BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Roles of a server and its own load' {
    It 'runs each role alone, then all at once, and reports what each loses' {
        $results = Invoke-IoTest -DataPath (Join-Path $TestDrive 'd.dat') -LogPath (Join-Path $TestDrive 'l.dat') -Backend Null -Duration 0.2 -WarmUp 0 -WarningAction SilentlyContinue
        $results.Workload | Should -Be 'page-read', 'checkpoint', 'log-commit', 'all-roles'
        $results[-1].Targets.Role | Should -Be 'data', 'data', 'log'
        $lost = $results | Compare-IoResult -Role
        $lost.Role | Should -Be 'data', 'data', 'log'
        $results[-1].IOPattern | Should -Be '3 concurrent patterns'
        "$($lost | Out-String -Width 120)" | Should -Match 'AloneIops +TogetherIops'
        $lost[2].Summary | Should -BeLike 'Log write latency (4KB sequential write) is * while the tests of data run*'
    }

    It 'runs concurrent patterns on the paths of their roles' {
        $result = Invoke-IoTest -Workload restore -DataPath (Join-Path $TestDrive 'd.dat') -BackupPath (Join-Path $TestDrive 'b.dat') -Backend Null -Duration 0.2 -WarmUp 0 -WarningAction SilentlyContinue
        $result.Workload | Should -Be 'restore'
        $result.Targets.Role | Should -Be 'backup', 'data'
    }

    It 'runs a paced mix beside full speed' {
        $results = Invoke-IoTest -DataPath (Join-Path $TestDrive 'd.dat') -LogPath (Join-Path $TestDrive 'l.dat') -MixLoad 50 -Backend Null -Duration 0.2 -WarmUp 0 -WarningAction SilentlyContinue
        $results[-1].Workload | Should -Be 'all-roles-paced'
        $results[-1].Specification.Targets[0].Pattern.TargetIops | Should -BeGreaterThan 0
        ($results | Compare-IoResult -Role).Load | Should -Be (@('full speed') * 3 + @('50% of its rate when run alone') * 3)
    }

    It 'refuses one role, and a workload beside roles' {
        (Get-ErrorOf { Invoke-IoTest -LogPath $TestDrive -Backend Null }).FullyQualifiedErrorId | Should -Be 'IoBench.TooFewRoles,IoBench.PowerShell.InvokeIoTestCommand'
        (Get-ErrorOf { Invoke-IoTest -LogPath $TestDrive -DataPath $TestDrive -BlockSize 8KB -Backend Null }).FullyQualifiedErrorId | Should -Be 'IoBench.RolesAndPattern,IoBench.PowerShell.InvokeIoTestCommand'
    }

    It 'compares what SQL Server saw with what the storage gives' {
        $test = [IoBench.Engine.IoTestSpecification]@{ Workload = 'own-data-read'; TargetIops = 200; ObservedLatencyMs = 12 }
        $answer = $test | Invoke-IoTest (Join-Path $TestDrive own.dat) -FileSize 8MB -Buffering Both -Duration 0.6 -WarmUp 0 -WarningAction SilentlyContinue | Compare-IoResult -CapturedWorkload
        $answer.ObservedMs | Should -Be 12
        "$($answer | Out-String -Width 120)" | Should -Match 'ObservedMs'
        $answer.Summary | Should -BeLike 'own-data-read: SQL Server observed a latency of 12 ms at 200 IOPS;*'
    }

    It 'says what is needed where neither is' {
        (Get-ErrorOf { New-TestResult | Compare-IoResult -Role }).FullyQualifiedErrorId | Should -Be 'IoBench.NoRoles,IoBench.PowerShell.CompareIoResultCommand'
        (Get-ErrorOf { New-TestResult | Compare-IoResult -CapturedWorkload }).FullyQualifiedErrorId | Should -Be 'IoBench.NoObservedLatency,IoBench.PowerShell.CompareIoResultCommand'
    }
}
