function Resolve-IoComparisonSide {
    <# What -Baseline means: a value of the property to compare by, or results (given or in a file). #>
    [CmdletBinding()]
    [OutputType([hashtable])]
    param(
        [AllowNull()]
        [object[]] $Baseline,

        [AllowEmptyCollection()]
        [System.Collections.Generic.List[IoBench.Engine.IoTestResult]] $Result,

        [string] $By,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    if (-not $Baseline) {
        return @{ Value = $null; Results = $null }
    }
    if ($Baseline.Count -eq 1 -and $Baseline[0] -isnot [IoBench.Engine.IoTestResult]) {
        $text = [string]$Baseline[0]
        $isValue = [IoBench.Engine.IoTestResult].GetProperty($By) -and $Result.Where({ [string]$_.$By -eq $text }, 'First')
        if ($isValue -or -not [System.IO.File]::Exists($Cmdlet.SessionState.Path.GetUnresolvedProviderPathFromPSPath($text))) {
            return @{ Value = $text; Results = $null }
        }
    }
    @{ Value = $null; Results = [IoBench.Engine.IoTestResult[]]@(Resolve-IoBaseline -Baseline $Baseline -Cmdlet $Cmdlet) }
}
