function Open-IoOutput {
    <# The result file of Invoke-IoTest: new, or with -Resume the one of the interrupted run. #>
    [CmdletBinding()]
    [OutputType([IoBench.Formats.ResultFile])]
    param(
        [Parameter(Mandatory)]
        [string] $Path,

        [switch] $Resume,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $log = [IoBench.Loader.Attempt]::OpenOutput($Path, $Resume)
    if ($log.Error) {
        $Cmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $log.Error -TargetObject $Path))
    }
    $log.Value
}
