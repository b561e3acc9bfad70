function Remove-IoSessionFile {
    <# On the host of a session: removes the test files of a plan that are IoBench's own. #>
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'Part of a cmdlet that asks itself.')]
    param(
        [Parameter(Mandatory)]
        [string[]] $Path
    )

    Remove-IoUsedFile -Path $Path -Cmdlet $PSCmdlet
}
