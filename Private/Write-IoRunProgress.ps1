function Write-IoRunProgress {
    <# One line of what is going on: which test, time left, rate now; while a file is made, how far it is. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.RunProgress] $Progress,

        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestSpecification] $Specification,

        [Parameter(Mandatory)]
        [hashtable] $Position
    )

    $invariant = [cultureinfo]::InvariantCulture
    $name = $Specification.Workload ? $Specification.Workload : [IoBench.Engine.PatternText]::Of($Specification)
    $total = ($Specification.RestBefore + $Specification.WarmUp + $Specification.Duration + $Specification.CoolDown).TotalSeconds
    $percent = -1
    if ($Progress.PrepareTotalBytes -gt 0 -and $Progress.Phase -eq 'Preparing') {
        $done = [IoBench.Engine.IoSize]::new($Progress.PreparedBytes).ToDisplayString()
        $whole = [IoBench.Engine.IoSize]::new($Progress.PrepareTotalBytes).ToDisplayString()
        $status = [string]::Format($invariant, 'making {0}   {1} of {2}   {3:N0} MB/s', $Progress.PreparingPath, $done, $whole, $Progress.CurrentMBps)
        $percent = $Progress.PreparedBytes * 100 / $Progress.PrepareTotalBytes
    } elseif ($Progress.Phase -in 'WarmUp', 'Measuring', 'CoolDown', 'Draining') {
        $phase = $Progress.Phase -eq 'WarmUp' ? '   warming up' : ''
        $p99 = $null -ne $Progress.P99Ms ? [string]::Format($invariant, '   p99 {0:N1} ms', $Progress.P99Ms) : ''
        $status = [string]::Format($invariant, '{0}/{1} {2}{3}   {4:N0} IOPS   {5:N0} MB/s{6}', $Position.Number, $Position.Count, $name, $phase, $Progress.CurrentIops, $Progress.CurrentMBps, $p99)
        if ($null -ne $Progress.RemainingSeconds -and $total -gt 0) {
            $percent = 100 - $Progress.RemainingSeconds * 100 / $total
        }
    } else {
        $status = [string]::Format($invariant, '{0}/{1} {2}   {3}', $Position.Number, $Position.Count, $name, $Progress.Phase -eq 'Waiting' ? 'the storage rests' : 'checking the file')
    }
    $show = @{
        Id = 7350
        Activity = $Position.Activity
        Status = $status
        PercentComplete = [int][math]::Clamp([double]$percent, -1.0, 100.0)
    }
    if ($null -ne $Progress.RemainingSeconds) {
        $show.SecondsRemaining = [int]($Progress.RemainingSeconds + $Position.Left.TotalSeconds)
    }
    Write-Progress @show
}
