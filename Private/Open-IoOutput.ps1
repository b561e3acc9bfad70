function Open-IoOutput {
    <# The result file of Invoke-IoTest: new, or with -Resume the one of the interrupted run. #>
    [CmdletBinding()]
    [OutputType([IoBench.Loader.ResultLog])]
    param(
        [Parameter(Mandatory)]
        [string] $Path,

        [switch] $Resume,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    try {
        [IoBench.Loader.ResultLog]::new($Path, $Resume)
    } catch {
        $Cmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $_ -TargetObject $Path))
    }
}
