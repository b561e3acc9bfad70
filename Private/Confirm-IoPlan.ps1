function Confirm-IoPlan {
    <#
        The tests that may run: each target is checked without touching it, what is refused is an error and leaves out its tests,
        what needs a person's yes is asked, -WhatIf says what would be done to which file.
    #>
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'Asks on behalf of the cmdlet it is given.')]
    [OutputType([IoBench.Engine.IoTestSpecification])]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestSpecification[]] $Plan,

        [switch] $Force,

        # By path, what the user says yes to; for Get-IoRunOption.
        [Parameter(Mandatory)]
        [hashtable] $Approved,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $checked = [ordered]@{}
    $answer = @{}
    $refused = [System.Collections.Generic.HashSet[string]]::new()
    foreach ($specification in $Plan) {
        if ($specification.Backend -eq [IoBench.Engine.IoBackendKind]::Null) {
            continue
        }
        foreach ($target in $specification.Targets) {
            $key = Get-IoTargetKey -Specification $specification -Target $target
            # A file that may not be read may not be written either; one that may not be written may still be read.
            if ($refused.Contains($key) -or $refused.Contains("read $($target.Path)")) {
                $null = $refused.Add($key)
                continue
            }
            $prepared = Test-IoTarget -Specification $specification -Target $target -Force:$Force -Approved $Approved -Cmdlet $Cmdlet
            if ($null -eq $prepared) {
                $null = $refused.Add($key)
            } elseif (-not $checked.Contains($target.Path) -and -not (Confirm-IoVolume -Prepared $prepared -Force:$Force -Answer $answer -Cmdlet $Cmdlet)) {
                $null = $refused.Add("read $($target.Path)")
                $null = $refused.Add("write $($target.Path)")
            } elseif (-not $checked.Contains($target.Path) -or $checked[$target.Path].Size -lt $prepared.Size) {
                $checked[$target.Path] = $prepared
            }
        }
    }

    $allowed = [System.Collections.Generic.List[IoBench.Engine.IoTestSpecification]]@(
        foreach ($specification in $Plan) {
            if (-not $specification.Targets.Where({ $refused.Contains((Get-IoTargetKey -Specification $specification -Target $_)) })) {
                $specification
            }
        }
    )
    if ($allowed.Count -eq 0) {
        return
    }
    $bytes = 0L
    foreach ($path in $checked.Keys) {
        $bytes += Measure-IoMissingByte -Prepared $checked[$path]
    }
    $Cmdlet.WriteVerbose("$($allowed.Count) test$($allowed.Count -eq 1 ? '' : 's'), $([IoBench.Engine.TestPlan]::Estimate($allowed, $bytes))")

    foreach ($group in $allowed | Group-Object -Property { $_.Targets.Path -join '; ' }) {
        $missing = @()
        $names = foreach ($target in $group.Group[0].Targets) {
            if ($checked.Contains($target.Path)) {
                $prepared = $checked[$target.Path]
                if ((Measure-IoMissingByte -Prepared $prepared) -gt 0) {
                    $missing += "make a test file of $([IoBench.Engine.IoSize]::new($prepared.Size).ToDisplayString())"
                }
                $prepared.Path
            } else {
                $target.Path
            }
        }
        $writes = $group.Group.Where({ $_.WritePercent -gt 0 -or $_.Targets.Where({ $null -ne $_.Pattern -and $_.Pattern.WritePercent -gt 0 }) }).Count
        $time = [IoBench.Engine.TestPlan]::Estimate([IoBench.Engine.IoTestSpecification[]]$group.Group)
        $kind = $writes -eq 0 ? '' : $writes -eq $group.Count ? ' writing to it' : ", $writes of them writing to it"
        $action = @($missing | Select-Object -Unique) + "run $($group.Count) test$($group.Count -eq 1 ? '' : 's')$kind, $time" -join ', '
        if (-not $Cmdlet.ShouldProcess($names -join '; ', $action)) {
            foreach ($specification in $group.Group) { $null = $allowed.Remove($specification) }
        }
    }
    $allowed
}
