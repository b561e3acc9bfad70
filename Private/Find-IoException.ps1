function Find-IoException {
    <# The exception of a type among an error's and what it wraps; nothing when there is none. #>
    [CmdletBinding()]
    [OutputType([System.Exception])]
    param(
        [Parameter(Mandatory)]
        [object] $ErrorObject,

        [Parameter(Mandatory)]
        [type] $Type
    )

    $exception = $ErrorObject -is [System.Management.Automation.ErrorRecord] ? $ErrorObject.Exception : $ErrorObject
    while ($null -ne $exception -and -not $Type.IsInstanceOfType($exception)) {
        $exception = $exception.InnerException
    }
    $exception
}
