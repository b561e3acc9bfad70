function Get-IoHistory {
    [CmdletBinding(SupportsShouldProcess)]
    [OutputType([IoBench.Analysis.HistoryTrend])]
    [OutputType([IoBench.Engine.IoTestResult])]
    param(
        # Folders or files with earlier results, in any format; with -Add the folder that keeps the history.
        [Parameter(Position = 0)]
        [string[]] $Path,

        [Parameter(ValueFromPipeline)]
        [AllowEmptyCollection()]
        [IoBench.Engine.IoTestResult[]] $InputObject,

        # Keeps the results of the pipeline in the folder as JSON lines before the trend is told.
        [switch] $Add,

        [ArgumentCompletions('IOPS', 'BandwidthMBps', 'AverageLatencyMs', 'P99Ms', 'MaxLatencyMs', 'ResponseAverageMs', 'ResponseP99Ms')]
        [string[]] $Metric,

        [SupportsWildcards()]
        [string[]] $Workload,

        [SupportsWildcards()]
        [string[]] $ComputerName,

        [datetime] $Since,

        # The results themselves, in order, in place of their trends.
        [switch] $AsResult
    )

    begin {
        $results = [System.Collections.Generic.List[IoBench.Engine.IoTestResult]]::new()
        if ($Add -and (-not $Path -or $Path.Count -ne 1)) {
            $PSCmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.HistoryFolder' -Kind Usage -Message '-Add needs one -Path: the folder that keeps the history.'))
        }
    }

    process {
        foreach ($result in $InputObject) {
            if ($null -ne $result) { $results.Add($result) }
        }
    }

    end {
        if ($Add -and $results.Count -gt 0) {
            $folder = $PSCmdlet.SessionState.Path.GetUnresolvedProviderPathFromPSPath($Path[0])
            if ($PSCmdlet.ShouldProcess($folder, "add $($results.Count) result$($results.Count -eq 1 ? '' : 's') to the history")) {
                $added = [IoBench.Loader.History]::Append($folder, $results)
                if ($added.Error) {
                    $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $added.Error -TargetObject $folder))
                }
                # They come back with what the folder holds.
                $results.Clear()
            }
        }
        if ($Path -and -not ($Add -and $WhatIfPreference)) {
            foreach ($item in Resolve-IoPath -Path $Path -Cmdlet $PSCmdlet) {
                $warnings = [System.Collections.Generic.List[string]]::new()
                $read = [IoBench.Loader.History]::Read($item, $warnings)
                foreach ($warning in $warnings) { $PSCmdlet.WriteWarning($warning) }
                if ($read.Error) {
                    $PSCmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $read.Error -TargetObject $item))
                } else {
                    $results.AddRange([IoBench.Engine.IoTestResult[]]$read.Value)
                }
            }
        }

        $wanted = @($results | Where-Object {
                $result = $_
                (-not $Workload -or $Workload.Where({ $result.Workload -like $_ })) -and
                (-not $ComputerName -or $ComputerName.Where({ $result.ComputerName -like $_ })) -and
                (-not $PSBoundParameters.ContainsKey('Since') -or $result.StartTime -ge [datetimeoffset]$Since)
            } | Sort-Object -Property StartTime -Stable)
        if ($AsResult) {
            $wanted
            return
        }
        if ($wanted.Count -eq 0 -and $results.Count -eq 0 -and $Path) {
            # What could not be read was said.
            return
        }
        $trends = [IoBench.Loader.History]::Trend([IoBench.Engine.IoTestResult[]]$wanted, $Metric, 0.01)
        if ($trends.Error) {
            $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $trends.Error))
        }
        $trends.Value
    }
}
