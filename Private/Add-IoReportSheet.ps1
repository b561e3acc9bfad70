function Add-IoReportSheet {
    <# Adds the report's sheets and charts to an open package of ImportExcel: the workbook is written to a temporary file and its sheets are copied. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)]
        [object] $ExcelPackage,

        [Parameter(Mandatory)]
        [System.Collections.Generic.List[IoBench.Engine.IoTestResult]] $Result,

        [Parameter(Mandatory)]
        [IoBench.Analysis.ReportOptions] $Option
    )

    $temporary = Join-Path ([System.IO.Path]::GetTempPath()) "iobench-$([guid]::NewGuid().ToString('N')).xlsx"
    $report = $null
    try {
        [IoBench.Reports.Report]::Write($temporary, $Result, $Option)
        # The type is that of the caller's ImportExcel; IoBench itself does not load one.
        $report = $ExcelPackage.GetType()::new([System.IO.FileInfo]::new($temporary))
        foreach ($sheet in $report.Workbook.Worksheets) {
            $name = $sheet.Name
            for ($number = 2; $null -ne $ExcelPackage.Workbook.Worksheets[$name]; $number++) {
                $name = "$($sheet.Name) $number"
            }
            $null = $ExcelPackage.Workbook.Worksheets.Add($name, $sheet)
        }
    } finally {
        if ($null -ne $report) { $report.Dispose() }
        [System.IO.File]::Delete($temporary)
    }
}
