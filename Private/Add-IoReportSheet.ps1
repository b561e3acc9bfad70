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
    $workbook = $ExcelPackage.Workbook
    # The charts name the sheet that their data are on, so the names must be right before the workbook is written.
    $Option.TakenSheetNames = [string[]]@($workbook.Worksheets.ForEach({ $_.Name }))
    $tables = [System.Collections.Generic.HashSet[string]]::new([string[]]@($workbook.Worksheets.ForEach({ $_.Tables.ForEach({ $_.Name }) })), [System.StringComparer]::OrdinalIgnoreCase)
    try {
        [IoBench.Reports.Report]::Write($temporary, $Result, $Option)
        # The type is that of the caller's ImportExcel; IoBench itself does not load one.
        $report = $ExcelPackage.GetType()::new([System.IO.FileInfo]::new($temporary))
        foreach ($sheet in $report.Workbook.Worksheets) {
            $added = $workbook.Worksheets.Add($sheet.Name, $sheet)
            # EPPlus copies neither that a sheet is hidden nor the names of its tables, and gives each sheet's first table the same name.
            $added.Hidden = $sheet.Hidden
            foreach ($table in $added.Tables) {
                $original = $sheet.Tables.Where({ $_.Address.Address -eq $table.Address.Address })[0].Name
                $name = $original
                for ($number = 2; -not $tables.Add($name); $number++) {
                    $name = "${original}_$number"
                }
                $table.Name = $name
            }
        }
    } finally {
        if ($null -ne $report) { $report.Dispose() }
        [System.IO.File]::Delete($temporary)
    }
}
