function Get-IoTargetKey {
    <# What may be refused as one: writing to a path, or reading it. #>
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestSpecification] $Specification,

        [Parameter(Mandatory)]
        [IoBench.Engine.IoTargetSpecification] $Target
    )

    "$($Specification.PatternOf($Target).WritePercent -gt 0 ? 'write' : 'read') $($Target.Path)"
}
