function Test-IoSavedTest {
    <# Whether an object without a type is what JSON or a table kept of a result or a specification. #>
    [CmdletBinding()]
    [OutputType([bool])]
    param(
        [AllowNull()]
        [object] $InputObject
    )

    if ($null -eq $InputObject -or $InputObject.PSObject.BaseObject -isnot [System.Management.Automation.PSCustomObject]) {
        return $false
    }
    $names = @($InputObject.PSObject.Properties.Name)
    ($names -contains 'Source' -and $names -contains 'IOPS') -or ($names -contains 'Targets' -and $names -contains 'BlockSize')
}
