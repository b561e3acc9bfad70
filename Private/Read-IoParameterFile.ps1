function Read-IoParameterFile {
    <# Tests on the paths of SQLIO's parameter file: of the workloads that are named, else of the defaults. #>
    [CmdletBinding()]
    [OutputType([IoBench.Engine.IoTestSpecification])]
    param(
        [Parameter(Mandatory)]
        [string] $Path,

        [AllowNull()]
        [string[]] $Workload,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $file = $Cmdlet.SessionState.Path.GetUnresolvedProviderPathFromPSPath($Path)
    $read = [IoBench.Loader.Attempt]::ReadParameterFile($file, $Workload)
    if ($read.Error) {
        $Cmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $read.Error -TargetObject $Path))
    }
    $read.Value
}
