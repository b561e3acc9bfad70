function ConvertTo-IoErrorRecord {
    <# The error record of an exception, with IoBench's stable id where it is one of IoBench's own. #>
    [CmdletBinding()]
    [OutputType([System.Management.Automation.ErrorRecord])]
    param(
        [Parameter(Mandatory)]
        [object] $ErrorObject,

        [object] $TargetObject
    )

    $exception = $ErrorObject -is [System.Management.Automation.ErrorRecord] ? $ErrorObject.Exception : $ErrorObject
    # A call from script wraps what the method threw.
    $inner = $exception
    while ($inner -isnot [IoBench.Engine.IoBenchException]) {
        # -ErrorAction Stop keeps the error it stopped at beside itself.
        $next = $inner -is [System.Management.Automation.ActionPreferenceStopException] ? $inner.ErrorRecord.Exception : $inner.InnerException
        if ($null -eq $next) { break }
        $inner = $next
    }
    if ($inner -isnot [IoBench.Engine.IoBenchException]) {
        if ($exception -is [System.UnauthorizedAccessException] -or $inner -is [System.UnauthorizedAccessException]) {
            return [System.Management.Automation.ErrorRecord]::new($inner, 'IoBench.AccessDenied', 'PermissionDenied', $TargetObject)
        }
        if ($inner -is [System.IO.IOException]) {
            return [System.Management.Automation.ErrorRecord]::new($inner, 'IoBench.InputOutputFailed', 'DeviceError', $TargetObject)
        }
        return [System.Management.Automation.ErrorRecord]::new($inner, 'IoBench.Unexpected', 'NotSpecified', $TargetObject)
    }

    $category = switch ($inner.Kind) {
        ([IoBench.Engine.IoErrorKind]::Usage) { 'InvalidArgument' }
        ([IoBench.Engine.IoErrorKind]::Refused) { $inner.ErrorId -match 'Exists' ? 'ResourceExists' : 'PermissionDenied' }
        ([IoBench.Engine.IoErrorKind]::NotFound) { 'ObjectNotFound' }
        ([IoBench.Engine.IoErrorKind]::InvalidData) { 'InvalidData' }
        default { 'DeviceError' }
    }
    if ($null -eq $TargetObject) {
        $TargetObject = $inner.Target
    }
    $message = ConvertTo-IoParameterName -Text $inner.Message
    if ($message -cne $inner.Message) {
        $inner = [IoBench.Engine.IoBenchException]::new($inner.ErrorId, $inner.Kind, $message, $inner.Target, $inner.InnerException)
    }
    $record = [System.Management.Automation.ErrorRecord]::new($inner, $inner.ErrorId, $category, $TargetObject)
    # The message says what, where, what to do. PowerShell shows the last of it as a recommendation of its own.
    $sentences = $message -split '(?<=[.?!]) (?=\p{Lu})'
    if ($sentences.Count -gt 1) {
        $record.ErrorDetails = [System.Management.Automation.ErrorDetails]::new($sentences[0..($sentences.Count - 2)] -join ' ')
        $record.ErrorDetails.RecommendedAction = $sentences[-1]
    }
    $record
}
