function Wait-IoRun {
    <#
        Starts a run and polls it to its end, with progress. Short waits, because PowerShell can only stop between two calls:
        that is how Ctrl+C ends a test within a second.
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.TestRun] $Run,

        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestSpecification] $Specification,

        [Parameter(Mandatory)]
        [hashtable] $Position,

        [Parameter(Mandatory)]
        [IoBench.Loader.RunLog] $Log
    )

    $poll = [timespan]::FromMilliseconds(150)
    $Run.Start()
    do {
        $ended = $Run.Wait($poll)
        foreach ($line in $Log.Take()) {
            Write-Verbose $line
        }
        if (-not $ended -and $ProgressPreference -ne 'SilentlyContinue') {
            Write-IoRunProgress -Progress $Run.GetProgress() -Specification $Specification -Position $Position
        }
    } until ($ended)
}
