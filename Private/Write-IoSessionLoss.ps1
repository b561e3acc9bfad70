function Write-IoSessionLoss {
    <# Says that a host is lost, once, and takes it out of what follows. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)]
        [object] $Machine,

        [Parameter(Mandatory)]
        [AllowEmptyString()]
        [string] $Reason,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $Machine.Alive = $false
    $advice = 'The others go on and what it gave so far is kept. Connect again and run the same with -Resume to make up for it.'
    $exception = [IoBench.Engine.IoBenchException]::new('IoBench.HostLost', 'Failure', "$($Machine.Name) was lost: $($Reason.Trim().TrimEnd('.')). $advice", $Machine.Name)
    $record = [System.Management.Automation.ErrorRecord]::new($exception, 'IoBench.HostLost', 'ConnectionError', $Machine.Session)
    $record.ErrorDetails = [System.Management.Automation.ErrorDetails]::new("$($Machine.Name) was lost: $($Reason.Trim().TrimEnd('.')).")
    $record.ErrorDetails.RecommendedAction = $advice
    $Cmdlet.WriteError($record)
}
