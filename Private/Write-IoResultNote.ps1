function Write-IoResultNote {
    <# What a result needs said beside its row: an error that ended it, and each warning once a call. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestResult] $Result,

        # Warnings that were said already.
        [Parameter(Mandatory)]
        [AllowEmptyCollection()]
        [System.Collections.Generic.HashSet[string]] $Said,

        # The host it came from, where there are several.
        [string] $Prefix,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    foreach ($warning in $Result.Warnings) {
        if ($Said.Add("$Prefix$warning")) {
            $Cmdlet.WriteWarning("$Prefix$(ConvertTo-IoParameterName -Text $warning)")
        }
    }
    if ($Result.Status -eq [IoBench.Engine.IoResultStatus]::Failed) {
        $id = $Result.ErrorId ? $Result.ErrorId : 'IoBench.TestFailed'
        $message = $Result.ErrorMessage ? $Result.ErrorMessage : "The test of $($Result.Path) failed."
        $Cmdlet.WriteError((New-IoError -ErrorId $id -Kind Failure -Message "$Prefix$message" -TargetObject $Result))
    }
}
