function Export-IoReport {
    [CmdletBinding(DefaultParameterSetName = 'Path', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType([System.IO.FileInfo])]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'Path')]
        [Alias('FilePath')]
        [string] $Path,

        [Parameter(ValueFromPipeline)]
        [AllowNull()]
        [AllowEmptyCollection()]
        [IoBench.Engine.IoTestResult[]] $InputObject,

        # What Compare-IoResult puts out, through the pipeline: its results, and the baseline with them.
        [Parameter(ValueFromPipeline, DontShow)]
        [AllowNull()]
        [IoBench.Analysis.ComparisonRow[]] $ComparisonObject,

        [string] $Title,

        # Earlier results, or the path of a file with them.
        [object[]] $Baseline,

        [switch] $NoSummary,

        [Parameter(ParameterSetName = 'Path')]
        [switch] $Force,

        [switch] $PassThru,

        [Parameter(Mandatory, ParameterSetName = 'Package')]
        [object] $ExcelPackage
    )

    begin {
        $results = [System.Collections.Generic.List[IoBench.Engine.IoTestResult]]::new()
        $compared = [System.Collections.Generic.List[IoBench.Engine.IoTestResult]]::new()
        $file = $null
        if ($PSCmdlet.ParameterSetName -eq 'Path') {
            $file = Resolve-IoOutputPath -Path $Path -Cmdlet $PSCmdlet
            if ([System.IO.Path]::GetExtension($file) -notin '.xlsx', '.html', '.htm') {
                $PSCmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.UnknownReportFormat' -Kind Usage -Message "$Path is neither a workbook nor a page. Give a name that ends in .xlsx or .html." -TargetObject $Path))
            }
        } elseif ($ExcelPackage.GetType().FullName -ne 'OfficeOpenXml.ExcelPackage') {
            $PSCmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.NotAnExcelPackage' -Kind Usage -Message 'This is no open package of ImportExcel. Get one with Open-ExcelPackage or Export-Excel -PassThru.' -TargetObject $ExcelPackage))
        }
    }

    process {
        foreach ($result in $InputObject) {
            if ($null -ne $result) { $results.Add($result) }
        }
        foreach ($row in $ComparisonObject) {
            $results.AddRange($row.Results)
            $compared.AddRange($row.BaselineResults)
        }
    }

    end {
        if ($results.Count -eq 0) {
            $PSCmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.NoResults' -Kind Usage -Message 'There are no results to report: nothing came through the pipeline. Check what Import-IoResult or Invoke-IoTest put out.'))
        }
        $options = [IoBench.Analysis.ReportOptions]::new()
        $options.NoSummary = $NoSummary
        $options.Force = $true
        if ($Title) { $options.Title = $Title }
        if ($Baseline) { $options.Baseline = [IoBench.Engine.IoTestResult[]]@(Resolve-IoBaseline -Baseline $Baseline -Cmdlet $PSCmdlet) }

        elseif ($compared.Count -gt 0) { $options.Baseline = [IoBench.Engine.IoTestResult[]]@($compared | Select-Object -Unique) }

        $what = "write a report of $($results.Count) result$($results.Count -eq 1 ? '' : 's')"
        if ($PSCmdlet.ParameterSetName -eq 'Package') {
            $target = $ExcelPackage.File ? $ExcelPackage.File.FullName : 'the open package'
            if ($PSCmdlet.ShouldProcess($target, $what)) {
                try {
                    Add-IoReportSheet -ExcelPackage $ExcelPackage -Result $results -Option $options
                } catch {
                    $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $_ -TargetObject $ExcelPackage))
                }
                if ($PassThru) { $ExcelPackage }
            }
            return
        }
        if (-not $PSCmdlet.ShouldProcess($file, $what) -or -not (Confirm-IoOverwrite -Path $file -Force:$Force -Cmdlet $PSCmdlet)) {
            return
        }
        $written = [IoBench.Loader.Attempt]::WriteReport($file, $results, $options)
        if ($written.Error) {
            $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $written.Error -TargetObject $file))
        }
        if ($PassThru) {
            Get-Item -LiteralPath $file
        }
    }
}
