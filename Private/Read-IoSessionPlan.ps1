function Read-IoSessionPlan {
    <# The tests of a plan that came from another machine as text. #>
    [CmdletBinding()]
    [OutputType([IoBench.Engine.IoTestSpecification[]])]
    param(
        [Parameter(Mandatory)]
        [string] $Text
    )

    $plan = [IoBench.Engine.IoTestSpecification[]]@(
        foreach ($item in [System.Management.Automation.PSSerializer]::Deserialize($Text)) { [IoBench.Loader.LooseObject]::ToSpecification($item) }
    )
    , $plan
}
