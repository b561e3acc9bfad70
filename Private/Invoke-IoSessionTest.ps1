function Invoke-IoSessionTest {
    <# Invoke-IoTest -Session: asks for each host, opens the output file, connects, and runs the plan on the hosts that can. #>
    [CmdletBinding()]
    [OutputType([IoBench.Engine.IoTestResult])]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestSpecification[]] $Plan,

        [Parameter(Mandatory)]
        [System.Management.Automation.Runspaces.PSSession[]] $Session,

        [string] $OutputPath,

        [switch] $Resume,

        [switch] $Force,

        [switch] $RemoveTestFile,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $outputFile = $OutputPath ? (Resolve-IoOutputPath -Path $OutputPath -Cmdlet $Cmdlet) : $null
    if ($outputFile -and -not $Resume -and -not $WhatIfPreference -and -not (Confirm-IoOverwrite -Path $outputFile -Force:$Force -Cmdlet $Cmdlet)) {
        return
    }
    $allowed = @(Confirm-IoSessionPlan -Plan $Plan -Session $Session -Cmdlet $Cmdlet)
    if ($allowed.Count -eq 0) {
        return
    }
    $machines = @(Connect-IoSession -Session $allowed -Cmdlet $Cmdlet)
    if ($machines.Count -eq 0) {
        return
    }
    $run = @{ Plan = $Plan; Machine = $machines; Output = $null; Force = $Force; RemoveTestFile = $RemoveTestFile; Cmdlet = $Cmdlet }
    if ($outputFile) {
        $run.Output = Open-IoOutput -Path $outputFile -Resume:$Resume -Cmdlet $Cmdlet
    }
    Invoke-IoSessionPlan @run
}
