function Measure-IoSaturation {
    [CmdletBinding()]
    [OutputType([IoBench.Analysis.SaturationResult])]
    param(
        [Parameter(Mandatory, Position = 0, ValueFromPipeline)]
        [AllowEmptyCollection()]
        [IoBench.Engine.IoTestResult[]] $InputObject
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
        $analysis = [IoBench.Loader.Attempt]::Saturation($results)
        if ($analysis.Error) {
            $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $analysis.Error))
        }
        foreach ($sweep in $analysis.Value) {
            foreach ($warning in $sweep.Warnings) { $PSCmdlet.WriteWarning($warning) }
            $sweep
        }
    }
}
