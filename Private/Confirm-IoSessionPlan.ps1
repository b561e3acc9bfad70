function Confirm-IoSessionPlan {
    <# The sessions a plan may run on: asks for each host, and -WhatIf says what would be done there without a word to it. #>
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'Asks on behalf of the cmdlet it is given.')]
    [OutputType([System.Management.Automation.Runspaces.PSSession])]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestSpecification[]] $Plan,

        [Parameter(Mandatory)]
        [System.Management.Automation.Runspaces.PSSession[]] $Session,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $paths = @($Plan.Targets.Path | Select-Object -Unique) -join '; '
    $writes = $Plan.Where({ $_.WritePercent -gt 0 -or $_.Targets.Where({ $null -ne $_.Pattern -and $_.Pattern.WritePercent -gt 0 }) }).Count
    $kind = $writes -eq 0 ? '' : $writes -eq $Plan.Count ? ' writing to it' : ", $writes of them writing to it"
    $what = "copy IoBench there if it is missing, make the test file if it is missing, run $($Plan.Count) test$($Plan.Count -eq 1 ? '' : 's')$kind, $([IoBench.Engine.TestPlan]::Estimate($Plan))"
    foreach ($item in $Session) {
        if ($Cmdlet.ShouldProcess("$paths on $($item.ComputerName)", $what)) { $item }
    }
}
