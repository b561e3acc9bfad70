function New-IoError {
    <# An error record of the module's own: id, kind and one line that says what, where and what to do. #>
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'Makes an object and changes nothing.')]
    [OutputType([System.Management.Automation.ErrorRecord])]
    param(
        [Parameter(Mandatory)]
        [string] $ErrorId,

        [Parameter(Mandatory)]
        [IoBench.Engine.IoErrorKind] $Kind,

        [Parameter(Mandatory)]
        [string] $Message,

        [object] $TargetObject
    )

    ConvertTo-IoErrorRecord -ErrorObject ([IoBench.Engine.IoBenchException]::new($ErrorId, $Kind, $Message, [string]$TargetObject)) -TargetObject $TargetObject
}
