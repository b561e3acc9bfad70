function Measure-IoLimit {
    [CmdletBinding(SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType([IoBench.Analysis.LimitResult])]
    param(
        [Parameter(Mandatory, Position = 0, ValueFromPipeline)]
        [string[]] $Path,

        # The limit, in milliseconds.
        [Parameter(Mandatory, Position = 1)]
        [Alias('LimitMs')]
        [ValidateRange(0.001, 60000)]
        [double] $MaxLatencyMs,

        [IoBench.Analysis.LatencyStatistic] $Statistic = 'Average',

        # Of a mixed workload: the limit is on its reads or its writes.
        [ValidateSet('Read', 'Write')]
        [string] $Operation,

        [string] $Workload,

        [ArgumentCompletions('1GB', '20GB', '100GB')]
        [IoBench.Engine.IoSize] $FileSize,

        [IoBench.Engine.IoDuration] $Duration = 10,

        [IoBench.Engine.IoDuration] $WarmUp,

        [IoBench.Engine.IoSize] $BlockSize,

        [ValidateRange(1, 256)]
        [int] $ThreadCount,

        [ValidateRange(1, 256)]
        [int] $OutstandingIO,

        [ValidateRange(0, 100)]
        [int] $WritePercent,

        [IoBench.Engine.IoAccessPattern] $AccessPattern,

        [IoBench.Engine.IoBuffering] $Buffering,

        [ValidateRange(0.1, 50)]
        [double] $TolerancePercent = 2,

        [ValidateRange(0.001, 1e9)]
        [double] $MaxIops,

        [ValidateRange(5, 1000)]
        [int] $MaxProbes = 60,

        [IoBench.Engine.IoBackendKind] $Backend = 'Auto',

        [switch] $Force
    )

    process {
        foreach ($file in Resolve-IoPath -Path $Path -AllowMissing -Cmdlet $PSCmdlet) {
            $settings = @{ Duration = $Duration; Backend = $Backend }
            foreach ($name in 'Workload', 'FileSize', 'WarmUp', 'BlockSize', 'ThreadCount', 'OutstandingIO', 'WritePercent', 'AccessPattern', 'Buffering') {
                if ($PSBoundParameters.ContainsKey($name)) { $settings[$name] = $PSBoundParameters[$name] }
            }
            $request = New-IoPlanRequest -Setting $settings -SessionState $PSCmdlet.SessionState
            $request.Paths = [string[]]@($file)
            $plan = [IoBench.Loader.Attempt]::Plan($request)
            if ($plan.Error) {
                $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $plan.Error -TargetObject $file))
            }
            if ($plan.Value.Count -ne 1) {
                $PSCmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.SuiteNotPossible' -Kind Usage -Message "$Workload is $($plan.Value.Count) tests: a limit is searched with one. Name one of them." -TargetObject $Workload))
            }
            $limit = [IoBench.Analysis.LatencyLimit]::new($Statistic, $MaxLatencyMs, ($Operation ? $Operation : $null))
            if (-not $PSCmdlet.ShouldProcess($file, "search the highest rate with $limit, up to $MaxProbes runs of $($Duration.TotalSeconds) s")) {
                continue
            }
            $found = $null
            $problem = $null
            $probes = [System.Collections.Generic.List[IoBench.Analysis.LimitProbe]]::new()
            $probe = {
                param($specification)

                # The search is asked for once, above; each of its runs needs no yes of its own.
                $found = $specification | Invoke-IoTest -Force:$Force -Confirm:$false -ErrorAction Stop -WarningAction SilentlyContinue
                if ($null -eq $found) {
                    throw [IoBench.Engine.IoBenchException]::Failure('IoBench.TestFailed', "A run on $file gave no result.", $file)
                }
                $found
            }
            try {
                $found = [IoBench.Loader.Attempt]::Limit(
                    $plan.Value[0],
                    $limit,
                    $probe,
                    [IoBench.Analysis.LimitOptions]::new($TolerancePercent, 3, $MaxProbes, ($PSBoundParameters.ContainsKey('MaxIops') ? $MaxIops : $null)),
                    $probes)
            } catch {
                # Ctrl+C comes through the search as PowerShell's own exception: it ends the cmdlet, and is no error.
                if ($null -ne (Find-IoException -ErrorObject $_ -Type ([System.Management.Automation.PipelineStoppedException]))) {
                    return
                }
                $problem = ConvertTo-IoErrorRecord -ErrorObject $_ -TargetObject $file
            } finally {
                if ($null -eq $found -and $null -eq $problem -and $probes.Count -gt 0) {
                    # A stopped pipeline takes no objects any more; what was found can still be said.
                    Write-Warning "$([IoBench.Analysis.LimitSearch]::Describe($limit, $probes))"
                }
            }
            if ($null -ne $found -and $found.Error) {
                $problem = ConvertTo-IoErrorRecord -ErrorObject $found.Error -TargetObject $file
            }
            if ($null -ne $problem) {
                $PSCmdlet.WriteError($problem)
            } else {
                $found.Value
            }
        }
    }
}
