function Select-IoUnfinished {
    <# The tests of a plan that are not among the complete results: each result stands for one test. #>
    [CmdletBinding()]
    [OutputType([IoBench.Engine.IoTestSpecification])]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestSpecification[]] $Plan,

        [AllowEmptyCollection()]
        [IoBench.Engine.IoTestResult[]] $Done,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $left = @{}
    foreach ($result in $Done) {
        if ($result.Status -eq [IoBench.Engine.IoResultStatus]::Complete -and $null -ne $result.Specification) {
            $left[[IoBench.Loader.TestKey]::Of($result.Specification)] += 1
        }
    }
    $skipped = 0
    foreach ($specification in $Plan) {
        $key = [IoBench.Loader.TestKey]::Of($specification)
        if ($left.ContainsKey($key) -and $left[$key] -gt 0) {
            $left[$key]--
            $skipped++
        } else {
            $specification
        }
    }
    $Cmdlet.WriteVerbose("$skipped of $($Plan.Count) tests were finished before and are left out.")
}
