function Resolve-IoBaseline {
    <# The earlier results of -Baseline: results as they are, or those of the files that are named. #>
    [CmdletBinding()]
    [OutputType([IoBench.Engine.IoTestResult])]
    param(
        [Parameter(Mandatory)]
        [object[]] $Baseline,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    foreach ($item in $Baseline) {
        $read = if ($item -is [string] -or $item -is [System.IO.FileInfo]) {
            $path = $item -is [string] ? $Cmdlet.SessionState.Path.GetUnresolvedProviderPathFromPSPath($item) : $item.FullName
            [IoBench.Loader.Attempt]::ReadFile($path)
        } else {
            [IoBench.Loader.Attempt]::ToResult($item)
        }
        if ($read.Error) {
            $Cmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $read.Error -TargetObject $item))
        }
        $read.Value
    }
}
