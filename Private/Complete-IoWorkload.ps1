function Complete-IoWorkload {
    <# Argument completion of -Workload: names, with where SQL Server does it as tool tip. #>
    [CmdletBinding()]
    [OutputType([System.Management.Automation.CompletionResult])]
    param($CommandName, $ParameterName, $WordToComplete, $CommandAst, $FakeBoundParameters)

    $null = $CommandName, $ParameterName, $CommandAst, $FakeBoundParameters
    foreach ($workload in [IoBench.Engine.WorkloadCatalog]::All) {
        if ($workload.Name -like "$($WordToComplete.Trim("'", '"'))*") {
            $tip = $workload.Role ? "$($workload.Pattern); $($workload.Role)" : "$($workload.Kind): $($workload.Pattern)"
            [System.Management.Automation.CompletionResult]::new($workload.Name, $workload.Name, 'ParameterValue', $tip)
        }
    }
}
