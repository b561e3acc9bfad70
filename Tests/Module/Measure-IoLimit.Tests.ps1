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

    It 'ends quietly with Ctrl+C and says what it found' {
        $shell = [powershell]::Create()
        $null = $shell.AddScript({
                param($module, $folder)
                Import-Module $module
                Measure-IoLimit $folder -MaxLatencyMs 1000 -Backend Null -Duration 2 -WarmUp 0 -MaxIops 2000
            }.ToString()).AddArgument((Get-Module IoBench).Path.Replace('.psm1', '.psd1')).AddArgument("$TestDrive")
        $running = $shell.BeginInvoke()
        # Until the first run has ended.
        foreach ($wait in 1..300) {
            if ($shell.Streams.Progress.Count -gt 0 -and ($shell.Streams.Progress | Where-Object { $_.RecordType -eq 'Completed' })) { break }
            Start-Sleep -Milliseconds 100
        }
        $shell.Stop()
        $running.IsCompleted | Should -BeTrue
        $shell.Streams.Error | Should -BeNullOrEmpty
        "$($shell.Streams.Warning)" | Should -BeLike '*The search was stopped after * run*average latency at most 1000 ms*'
        $shell.Dispose()
    }

    It 'runs nothing with -WhatIf' {
        Measure-IoLimit $TestDrive 5 -Backend Null -WhatIf | Should -BeNullOrEmpty
    }
}
