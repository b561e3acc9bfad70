function Initialize-IoSessionPlan {
    <# On the host of a session: checks the tests of a plan, makes their files, and puts out the numbers of the tests that may run. #>
    [CmdletBinding(SupportsShouldProcess)]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'Confirm-IoPlan asks for it; the caller of Invoke-IoTest has said yes already.')]
    [OutputType([int])]
    param(
        # The whole plan, serialized.
        [Parameter(Mandatory)]
        [string] $Plan,

        # Numbers of this host's tests.
        [Parameter(Mandatory)]
        [int[]] $Number,

        [switch] $Force
    )

    $all = Read-IoSessionPlan -Text $Plan
    $mine = [IoBench.Engine.IoTestSpecification[]]$all[$Number]
    $approved = @{}
    $allowed = @(Confirm-IoPlan -Plan $mine -Force:$Force -Approved $approved -Cmdlet $PSCmdlet)
    # Once made, a file is there for every test; the largest one first, because a smaller size is the beginning of it.
    $order = $allowed.Where({ $_.Backend -ne 'Null' }) | Sort-Object -Property { $_.FileSize ?? 0 } -Descending
    $unmade = [System.Collections.Generic.HashSet[string]]::new()
    foreach ($specification in $order) {
        foreach ($target in $specification.Targets) {
            if ($unmade.Contains($target.Path)) { continue }
            $made = New-IoFile -Specification $specification -Target $target -Options (Get-IoRunOption -Path $target.Path -Force:$Force -Approved $approved)
            if ($made.Error) {
                $null = $unmade.Add($target.Path)
                $PSCmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $made.Error -TargetObject $target.Path))
            }
        }
    }
    foreach ($specification in $allowed) {
        if (-not $specification.Targets.Where({ $unmade.Contains($_.Path) })) {
            [array]::IndexOf($all, $specification)
        }
    }
}
