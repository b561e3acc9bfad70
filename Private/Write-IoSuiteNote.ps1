function Write-IoSuiteNote {
    <# What the results of a call need said beside their rows: each kind of warning once, with the tests that have it, and what rounds came to. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)]
        [AllowEmptyCollection()]
        [System.Collections.Generic.List[IoBench.Engine.IoTestResult]] $Result,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    foreach ($warning in [IoBench.Loader.Rounds]::Warnings($Result)) {
        $Cmdlet.WriteWarning((ConvertTo-IoParameterName -Text $warning))
    }
    if ($Result.Exists({ param($item) $item.Repeat -gt 1 })) {
        foreach ($summary in [IoBench.Analysis.RepeatSummary]::Of($Result)) {
            $Cmdlet.WriteInformation($summary.Summary, [string[]]@('IoBench'))
        }
    }
}
