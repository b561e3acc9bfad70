BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Watch-IoFailover' {
    It 'runs a steady load and says whether the limit was kept' {
        $file = Join-Path $TestDrive 'drill.dat'
        $result = Watch-IoFailover $file -Duration 2s -Limit 60s -FileSize 8MB -TargetIops 100 -RemoveTestFile -WarningAction SilentlyContinue
        $result | Should -BeOfType ([IoBench.Analysis.DrillResult])
        $result.IsLimitExceeded | Should -BeFalse
        $result.ReadCount + $result.WriteCount | Should -BeGreaterThan 20
        $result.Integrity.ErrorCount | Should -Be 0
        $result.Integrity.FinalPass.ByteCount | Should -Be 8MB
        $result.Summary | Should -BeLike '*The longest outage or I/O meets the limit of 60 s.*'
        $result.Findings[0].Code | Should -Be 'Drill.Passed'
        Test-Path $file | Should -BeFalse
    }

    It 'does not rate a drill whose file is removed' -Skip:$IsWindows {
        $file = Join-Path $TestDrive 'removed.dat'
        $result = Watch-IoFailover $file -Duration 3s -Limit 60s -FileSize 8MB -TargetIops 100 -Verbose -ErrorVariable failed -ErrorAction SilentlyContinue -WarningAction SilentlyContinue 4>&1 |
            ForEach-Object { if ("$_" -match 'Start the failover') { Remove-Item $file } elseif ($_ -isnot [System.Management.Automation.VerboseRecord]) { $_ } }
        $result.FileChange | Should -BeLike '*was removed*'
        $result.Outcome | Should -Be 'NotRated'
        $result.Findings.Code | Should -Be 'Drill.FileChanged'
        $failed[0].FullyQualifiedErrorId | Should -BeLike 'IoBench.FileGone,*'
    }

    It 'does nothing with -WhatIf' {
        $file = Join-Path $TestDrive 'whatif.dat'
        Watch-IoFailover $file -FileSize 8MB -WhatIf | Should -BeNullOrEmpty
        Test-Path $file | Should -BeFalse
    }

    It 'refuses a file of others and leaves it as it is' {
        $file = Join-Path $TestDrive 'theirs.dat'
        Set-Content $file 'theirs'
        (Get-ErrorOf { Watch-IoFailover $file -Duration 1s -FileSize 8MB }).FullyQualifiedErrorId | Should -BeLike 'IoBench.*'
        Get-Content $file | Should -Be 'theirs'
    }

    It 'says what a block must be' {
        (Get-ErrorOf { Watch-IoFailover (Join-Path $TestDrive 'n.dat') -BlockSize 512 }).FullyQualifiedErrorId | Should -BeLike 'IoBench.InvalidValue,*'
    }
}
