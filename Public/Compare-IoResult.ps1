function Compare-IoResult {
    [CmdletBinding()]
    [OutputType([IoBench.Analysis.ComparisonRow])]
    param(
        [Parameter(Mandatory, ValueFromPipeline)]
        [AllowEmptyCollection()]
        [IoBench.Engine.IoTestResult[]] $InputObject,

        # The value of -By that is the baseline; or results, or the path of a file with them.
        [Parameter(Position = 0)]
        [object[]] $Baseline,

        [ArgumentCompletions('Label', 'Path', 'ComputerName', 'Buffering', 'FileSizeMB', 'SourceFile', 'Device')]
        [string] $By = 'Label',

        [ValidateRange(0.000001, 0.5)]
        [double] $Alpha = 0.01,

        [ValidateRange(0, 1000)]
        [double] $LeastChangePercent = 5
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
