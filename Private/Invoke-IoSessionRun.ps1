function Invoke-IoSessionRun {
    <# On the host of a session: runs one test of a plan whose files are there, and puts out its result. #>
    [CmdletBinding()]
    [OutputType([IoBench.Engine.IoTestResult])]
    param(
        # The test, serialized.
        [Parameter(Mandatory)]
        [string] $Plan,

        [Parameter(Mandatory)]
        [hashtable] $Position,

        [switch] $Force,

        [switch] $AllowSqlServerRead
    )

    $specification = (Read-IoSessionPlan -Text $Plan)[0]
    $options = [IoBench.Engine.TestRunOptions]::new()
    $options.Force = $Force
    $options.AllowSqlServerRead = $Force -or $AllowSqlServerRead
    $ended = Invoke-IoRun -Specification $specification -Options $options -Position $Position
    if ($ended.Error) {
        $PSCmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $ended.Error -TargetObject ($specification.Targets.Path -join '; ')))
        return
    }
    $ended.Value
}
