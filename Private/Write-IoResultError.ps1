function Write-IoResultError {
    <# The error that ended a test, beside its row. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestResult] $Result,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    if ($Result.Status -eq [IoBench.Engine.IoResultStatus]::Failed) {
        $id = $Result.ErrorId ? $Result.ErrorId : 'IoBench.TestFailed'
        $message = $Result.ErrorMessage ? $Result.ErrorMessage : "The test of $($Result.Path) failed."
        $Cmdlet.WriteError((New-IoError -ErrorId $id -Kind Failure -Message $message -TargetObject $Result))
    }
}
