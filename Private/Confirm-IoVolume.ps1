function Confirm-IoVolume {
    <#
        Whether a target may be tested though SQL Server has files on its volume: asks, unless -Force or -Confirm:$false said so already. Where nobody can be
        asked it may: nothing is harmed, a nightly test of a server's own storage is what IoBench is for, and each result carries the warning.
    #>
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.PreparedTarget] $Prepared,

        [switch] $Force,

        # YesToAll and NoToAll of the questions before.
        [Parameter(Mandatory)]
        [hashtable] $Answer,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    if (-not $Prepared.SqlServerNeighbour -or $Force -or $WhatIfPreference -or $ConfirmPreference -eq 'None' -or -not (Test-IoPrompt -Cmdlet $Cmdlet)) {
        return $true
    }
    $yes = [bool]$Answer['YesToAll']
    $no = [bool]$Answer['NoToAll']
    $question = "SQL Server files lie on the volume of $($Prepared.Path) (for example $($Prepared.SqlServerNeighbour)): they will be slow while it is tested. Test it all the same?"
    $Cmdlet.ShouldContinue($question, 'Test a volume that SQL Server uses', [ref] $yes, [ref] $no)
    $Answer.YesToAll = $yes
    $Answer.NoToAll = $no
}
