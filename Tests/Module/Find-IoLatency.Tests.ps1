BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Find-IoLatency' {
    It 'returns the layers of reads and writes, with the verdict' {
        $file = Join-Path $TestDrive 'where.dat'
        $report = Join-Path $TestDrive 'where.html'
        $lines = $null
        $found = Find-IoLatency $file -Duration 300ms -FileSize 8MB -RemoveTestFile -ReportPath $report -InformationVariable lines -WarningAction SilentlyContinue 6> $null
        $found[0] | Should -BeOfType ([IoBench.Analysis.LatencyLayer])
        $found.Operation | Select-Object -Unique | Should -Be 'Read', 'Write'
        foreach ($part in $found[0].Result.Breakdowns) {
            ($part.Layers | Measure-Object Milliseconds -Sum).Sum | Should -BeGreaterThan ($part.AverageMs - 0.000001)
            ($part.Layers | Measure-Object Milliseconds -Sum).Sum | Should -BeLessThan ($part.AverageMs + 0.000001)
            "$lines" | Should -BeLike "*$($part.Verdict)*"
        }
        $found[0].Result.SlowestIOs | Should -HaveCount 10
        $found[0].Result.SlowestIOs[0].StartUtc.Offset | Should -Be ([timespan]::Zero)
        Get-Content $report -Raw | Should -BeLike '*The slowest I/Os*'
        Test-Path $file | Should -BeFalse
    }

    It 'has a table of 79 columns' {
        $found = [IoBench.Analysis.LatencyLayer]@{ Operation = 'Read'; Layer = 'sda (iSCSI disk) and below'; Kind = 'Storage'; Milliseconds = 1.7444; Percent = 83.04 }
        $lines = ($found | Out-String -Width 80 -Stream).Where({ $_ })
        ($lines | Measure-Object -Property Length -Maximum).Maximum | Should -Be 79
        $lines[0] | Should -Be '   Read'
        $lines[-1] | Should -Match '^sda \(iSCSI disk\) and below +1\.744 +83\.0$'
    }

    It 'compares two states and leaves the first one' -Skip:$IsWindows {
        $log = Join-Path $TestDrive 'log.txt'
        $found = Find-IoLatency (Join-Path $TestDrive 'ab.dat') -Duration 600ms -FileSize 8MB -RemoveTestFile -ToggleCommand "echo A >> '$log'", "echo B >> '$log'" -WarningAction SilentlyContinue 6> $null
        $found | Should -HaveCount 2
        $found[0] | Should -BeOfType ([IoBench.Analysis.ToggleDifference])
        $order = (Get-Content $log) -join ''
        $order | Should -Match '^(ABBA){3,8}$'
    }

    It 'does nothing with -WhatIf' {
        $file = Join-Path $TestDrive 'whatif.dat'
        Find-IoLatency $file -FileSize 8MB -WhatIf | Should -BeNullOrEmpty
        Test-Path $file | Should -BeFalse
    }

    It 'refuses a file of others and leaves it as it is' {
        $file = Join-Path $TestDrive 'theirs.dat'
        Set-Content $file 'theirs'
        $failed = $null
        Find-IoLatency $file -Duration 300ms -FileSize 8MB -ErrorVariable failed -ErrorAction SilentlyContinue
        $failed | Should -Not -BeNullOrEmpty
        Get-Content $file | Should -Be 'theirs'
    }
}
