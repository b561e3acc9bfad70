BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Measure-IoSaturation' {
    It 'finds the knee of a sweep' {
        $sweep = foreach ($load in 1, 2, 4, 8, 16) {
            $run = New-TestResult -Iops ([math]::Min(4, $load) * 1000)
            $run.OutstandingIO = $run.TotalOutstanding = $load
            $run.AverageLatencyMs = $load / $run.IOPS * 1000
            $run
        }
        $knee = $sweep | Measure-IoSaturation
        $knee.KneeOutstanding | Should -Be 4
        $knee.PlateauReached | Should -BeTrue
    }

    It 'says what a sweep is' {
        (Get-ErrorOf { New-TestResult | Measure-IoSaturation }).FullyQualifiedErrorId | Should -Be 'IoBench.NoSweep,IoBench.PowerShell.MeasureIoSaturationCommand'
    }
}
