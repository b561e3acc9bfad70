function Stop-IoRun {
    <# Ends a run and waits until its workers are gone; of a run that has ended or was never started it does nothing. #>
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'Part of a cmdlet that asks itself.')]
    param(
        [AllowNull()]
        [IoBench.Engine.TestRun] $Run
    )

    if ($null -eq $Run) {
        return
    }
    $Run.Cancel()
    # The engine gives up on I/O that hangs after two seconds and keeps its buffers for the kernel.
    $null = $Run.Wait([timespan]::FromSeconds(3))
    $Run.Dispose()
}
