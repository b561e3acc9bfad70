function Invoke-IoRun {
    <# Carries out one specification with progress, and ends it when the pipeline ends. Gives the attempt: the result or the error. #>
    [CmdletBinding()]
    [OutputType([IoBench.Loader.Attempt])]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestSpecification] $Specification,

        [Parameter(Mandatory)]
        [IoBench.Engine.TestRunOptions] $Options,

        # Activity, Number, Count and Left, for the line of progress.
        [Parameter(Mandatory)]
        [hashtable] $Position
    )

    $log = [IoBench.Loader.RunLog]::new()
    $Options.Log = $log.Add
    $run = [IoBench.Engine.TestRun]::new($Specification, $Options)
    try {
        Wait-IoRun -Run $run -Specification $Specification -Position $Position -Log $log
        [IoBench.Loader.Attempt]::Result($run)
    } finally {
        # Reached by Ctrl+C too: no worker may be left behind.
        Stop-IoRun -Run $run
    }
}
