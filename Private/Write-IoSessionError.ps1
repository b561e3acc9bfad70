function Write-IoSessionError {
    <# An error of another host, with its id and kind, under that host's name. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)]
        [object] $Machine,

        [Parameter(Mandatory)]
        [System.Management.Automation.ErrorRecord] $Record,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $id = $Record.FullyQualifiedErrorId.Split(',')[0]
    $kind = switch ($Record.CategoryInfo.Category) {
        'InvalidArgument' { 'Usage' }
        { $_ -in 'PermissionDenied', 'ResourceExists' } { 'Refused' }
        'ObjectNotFound' { 'NotFound' }
        'InvalidData' { 'InvalidData' }
        default { 'Failure' }
    }
    $problem = @{
        ErrorId = $id -like 'IoBench.*' ? $id : 'IoBench.SessionFailed'
        Kind = $kind
        Message = "$($Machine.Name): $($Record.Exception.Message)"
        TargetObject = $Machine.Session
    }
    $Cmdlet.WriteError((New-IoError @problem))
}
