BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Rounds until the steady state' {
    It 'ends when five rounds are steady, and goes on where it broke off' {
        $file = Join-Path $TestDrive 'rounds.json'
        # A rate of its own makes the rounds of any computer steady, of a busy one some later.
        $call = @{ Path = "$TestDrive"; Backend = 'Null'; Duration = 0.3; WarmUp = 0; TargetIops = 100; SteadyState = $true; OutputPath = $file; WarningAction = 'SilentlyContinue' }
        $rounds = @(Invoke-IoTest @call -InformationVariable told)
        $rounds.Count | Should -BeIn (5..24)
        $rounds.Repeat | Should -Be (1..$rounds.Count)
        "$told" | Should -BeLike "*8KB random read: steady after $($rounds.Count) rounds by the IoBench criterion, not the SNIA criterion (*): in the last 5 rounds, the range of IOPS is*"
        $summary = $rounds | Compare-IoResult -Repeat
        $summary.IsSteady | Should -BeTrue
        $summary.Rounds | Should -Be $rounds.Count
        $summary.Runs | Should -Be 5
        Invoke-IoTest @call -Resume | Should -BeNullOrEmpty
    }

    It 'says that it never was' {
        # Each round's bursts of another length: a modelled device would be needed for more; five rounds are the least there may be.
        $rounds = foreach ($number in 1..5) {
            $run = New-TestResult -Iops (1000 + 200 * $number)
            $run.Repeat = $number
            $run.Specification.SteadyStateRounds = 5
            $run.Specification.Repeat = $number
            $run
        }
        $summary = $rounds | Compare-IoResult -Repeat
        $summary.IsSteady | Should -BeFalse
        $summary.Summary | Should -BeLike '*not steady in 5 rounds*'
    }

    It 'refuses what excludes each other: <Id>' -ForEach @(
        @{ Id = 'IoBench.RoundsAndRepeat'; Call = { Invoke-IoTest $TestDrive -Backend Null -SteadyState -Repeat 2 } }
    ) {
        (Get-ErrorOf $Call).FullyQualifiedErrorId | Should -Be "$Id,IoBench.PowerShell.InvokeIoTestCommand"
    }

    It 'reports each kind of warning once, with its tests' {
        # A small file: the same words with a figure of its own for each size.
        $null = Invoke-IoTest (Join-Path $TestDrive 'w.dat') -FileSize 1MB, 2MB -Duration 0.2 -WarmUp 0 -Backend Threads -WarningVariable said -WarningAction SilentlyContinue
        @($said | Where-Object { "$_" -match 'might fit into a cache' }).Count | Should -Be 1
    }
}
