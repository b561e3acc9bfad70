BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $script = Join-Path $repository 'docs' 'examples' 'nightly-canary.ps1'

    function Invoke-AsAgent {
        # As a CmdExec step: no profile, no input, output to a pipe.
        param([string[]] $Argument)

        $start = [System.Diagnostics.ProcessStartInfo]::new('pwsh')
        foreach ($item in @('-NoProfile', '-NonInteractive', '-File', $script, '-Module', (Join-Path $repository 'IoBench.psd1')) + $Argument) { $start.ArgumentList.Add($item) }
        $start.RedirectStandardInput = $true
        $start.RedirectStandardOutput = $true
        $start.RedirectStandardError = $true
        $process = [System.Diagnostics.Process]::Start($start)
        $process.StandardInput.Close()
        $problem = $process.StandardError.ReadToEndAsync()
        $text = $process.StandardOutput.ReadToEnd()
        $process.WaitForExit()
        @{ ExitCode = $process.ExitCode; Output = $text; Error = $problem.Result }
    }
}

Describe 'nightly-canary.ps1, run as SQL Agent would' {
    It 'ends with 1 and a line on stderr when a test cannot run' {
        $run = Invoke-AsAgent -Argument '-Path', (Join-Path $TestDrive 'no' 'folder' 'x.dat'), '-OutputFolder', (Join-Path $TestDrive 'out')
        $run.ExitCode | Should -Be 1
        $run.Error.Trim() | Should -Not -BeNullOrEmpty
    }
}
