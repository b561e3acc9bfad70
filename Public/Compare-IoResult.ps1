function Compare-IoResult {
    [CmdletBinding(DefaultParameterSetName = 'Side')]
    [OutputType([IoBench.Analysis.ComparisonRow], ParameterSetName = 'Side')]
    [OutputType([IoBench.Analysis.RoleInterference], ParameterSetName = 'Role')]
    [OutputType([IoBench.Analysis.ObservedLatency], ParameterSetName = 'OwnLoad')]
    [OutputType([IoBench.Analysis.RepeatSummary], ParameterSetName = 'Repeat')]
    param(
        [Parameter(Mandatory, ValueFromPipeline)]
        [AllowEmptyCollection()]
        [IoBench.Engine.IoTestResult[]] $InputObject,

        # The value of -By that is the baseline; or results, or the path of a file with them.
        [Parameter(Position = 0, ParameterSetName = 'Side')]
        [object[]] $Baseline,

        [ArgumentCompletions('Label', 'Path', 'ComputerName', 'Buffering', 'FileSizeMB', 'SourceFile', 'Device')]
        [Parameter(ParameterSetName = 'Side')]
        [string] $By = 'Label',

        [ValidateRange(0.000001, 0.5)]
        [Parameter(ParameterSetName = 'Side')]
        [double] $Alpha = 0.01,

        [ValidateRange(0, 1000)]
        [Parameter(ParameterSetName = 'Side')]
        [double] $LeastChangePercent = 5,

        # What each role loses to the others: the results of Invoke-IoTest -DataPath ... -LogPath ...
        [Parameter(Mandatory, ParameterSetName = 'Role')]
        [switch] $Role,

        # The latency that SQL Server saw against what the storage gives at that rate: results of New-IoWorkload's tests.
        [Parameter(Mandatory, ParameterSetName = 'OwnLoad')]
        [switch] $OwnLoad,

        # Equal runs with one another: median, spread, 95 % interval, and whether rounds became steady.
        [Parameter(Mandatory, ParameterSetName = 'Repeat')]
        [switch] $Repeat
    )

    begin {
        $results = [System.Collections.Generic.List[IoBench.Engine.IoTestResult]]::new()
    }

    process {
        foreach ($result in $InputObject) {
            if ($null -ne $result) { $results.Add($result) }
        }
    }

    end {
        if ($Role -or $OwnLoad -or $Repeat) {
            $answer = $Role ? [IoBench.Loader.OwnLoad]::Interference($results) : $OwnLoad ? [IoBench.Loader.OwnLoad]::Observed($results) : [IoBench.Loader.Rounds]::Summaries($results)
            if ($answer.Error) {
                $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $answer.Error))
            }
            $answer.Value
            return
        }
        $options = [IoBench.Analysis.ComparisonOptions]::new($Alpha, $LeastChangePercent, [math]::Max(15, $LeastChangePercent))
        $side = Resolve-IoComparisonSide -Baseline $Baseline -Result $results -By $By -Cmdlet $PSCmdlet
        $compared = if ($null -ne $side.Results) {
            [IoBench.Loader.Attempt]::Compare($side.Results, $results, 'baseline', [NullString]::Value, $options)
        } else {
            [IoBench.Loader.Attempt]::CompareBy($results, $By, ($side.Value ?? [NullString]::Value), $options)
        }
        if ($compared.Error) {
            $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $compared.Error))
        }
        foreach ($comparison in $compared.Value) {
            foreach ($warning in @($comparison.Warnings) + @($comparison.Unmatched)) {
                $PSCmdlet.WriteWarning($warning)
            }
            $comparison.Rows
        }
    }
}
