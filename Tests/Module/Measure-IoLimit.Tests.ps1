BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Measure-IoLimit' {
    It 'searches with short open-loop runs and keeps all of them' {
        $limit = Measure-IoLimit $TestDrive -MaxLatencyMs 1000 -Backend Null -Duration 0.5 -WarmUp 0 -MaxIops 500 -WarningAction SilentlyContinue
        $limit.Outcome | Should -Be 'AlwaysKept'
        $limit.IOPS | Should -Be 500
        $limit.Probes.Count | Should -BeGreaterThan 1
        $limit.Probes[0].Result | Should -BeOfType IoBench.Engine.IoTestResult
    }

    It 'runs nothing with -WhatIf' {
        Measure-IoLimit $TestDrive 5 -Backend Null -WhatIf | Should -BeNullOrEmpty
    }
}
