function Complete-IoSessionCall {
    <# What the end of a script on a host means: done, failed (an error of that host), or the host is lost. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)]
        [hashtable] $Call,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $end = $Call.Shell.InvocationStateInfo
    $isOpen = $Call.Machine.Session.State -eq 'Opened'
    if ($end.State -eq 'Completed' -and $isOpen) {
        return
    }
    $reason = $end.Reason
    if ($isOpen -and $reason -is [System.Management.Automation.RemoteException] -and $null -ne $reason.ErrorRecord) {
        # What was terminating there ends this host's part only.
        Write-IoSessionError -Machine $Call.Machine -Record $reason.ErrorRecord -Cmdlet $Cmdlet
        $Call.Machine.Failed = $true
        return
    }
    Write-IoSessionLoss -Machine $Call.Machine -Reason ($reason ? $reason.Message : "its session is $($Call.Machine.Session.State)") -Cmdlet $Cmdlet
}
