BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    function Get-SheetName {
        param([string] $Path)

        $zip = [System.IO.Compression.ZipFile]::OpenRead($Path)
        try {
            $reader = [System.IO.StreamReader]::new($zip.GetEntry('xl/workbook.xml').Open())
            ([xml]$reader.ReadToEnd()).workbook.sheets.sheet.name
        } finally {
            $zip.Dispose()
        }
    }
}

Describe 'Export-IoReport' {
    BeforeEach {
        $book = Join-Path $TestDrive "$([guid]::NewGuid()).xlsx"
    }

    It 'writes a workbook and puts out nothing' {
        New-TestResult | Export-IoReport $book | Should -BeNullOrEmpty
        Get-SheetName $book | Should -Contain 'Results'
    }

    It 'gives the file with -PassThru' {
        $file = Export-IoReport -Path $book -InputObject (New-TestResult), (New-TestResult -Iops 2) -PassThru
        $file | Should -BeOfType System.IO.FileInfo
        $file.FullName | Should -Be $book
    }

    It 'touches nothing and says nothing with -WhatIf' {
        New-TestResult | Export-IoReport $book -WhatIf -PassThru | Should -BeNullOrEmpty
        Test-Path $book | Should -BeFalse
    }

    It 'replaces a file as Export-Csv does, and with -NoClobber refuses before anything runs' {
        [System.IO.File]::WriteAllText($book, '[]')
        $ran = [System.Collections.Generic.List[int]]::new()
        $problem = Get-ErrorOf { & { $ran.Add(1); New-TestResult } | Export-IoReport $book -NoClobber }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.FileExists,IoBench.PowerShell.ExportIoReportCommand'
        $problem.CategoryInfo.Category | Should -Be 'ResourceExists'
        $problem.ErrorDetails.RecommendedAction | Should -Match '-NoClobber'
        $ran.Count | Should -Be 0
        [System.IO.File]::ReadAllText($book) | Should -Be '[]'
        New-TestResult | Export-IoReport $book
        Get-SheetName $book | Should -Contain 'Results'
    }

    It 'writes a mail body of at most 10 KB with -Body, and only as HTML' {
        $body = Join-Path $TestDrive 'body.html'
        New-TestResult | Export-IoReport $body -Body
        (Get-Item $body).Length | Should -BeLessOrEqual 10000
        Get-Content -Raw $body | Should -Match '(PASS|NOT RATED)'
        (Get-ErrorOf { New-TestResult | Export-IoReport $book -Body }).FullyQualifiedErrorId | Should -BeLike 'IoBench.BodyIsHtml,*'
    }

    It 'takes a name with a number for a file that came to be there meanwhile: no result is lost' {
        $made = & { Set-Content "$book.other" 'precious' -NoNewline; [System.IO.File]::Move("$book.other", $book, $true); New-TestResult } | Export-IoReport $book -NoClobber -PassThru -WarningAction SilentlyContinue
        [System.IO.File]::ReadAllText($book) | Should -Be 'precious'
        $made.FullName | Should -Be ($book -replace '\.xlsx$', '-2.xlsx')
        Get-SheetName $made.FullName | Should -Contain 'Results'
    }

    It 'warns where no program can open the report, and gives it all the same' -Skip:(-not $IsLinux) -Tag 'needs Linux' {
        $page = Join-Path $TestDrive 'shown.html'
        $before = $env:PATH
        try {
            $env:PATH = $TestDrive
            $file = New-TestResult | Export-IoReport $page -Show -PassThru -WarningVariable warnings -WarningAction SilentlyContinue
        } finally {
            $env:PATH = $before
        }
        $file.FullName | Should -Be $page
        "$warnings" | Should -BeLike "$page was saved, but no program on this computer can open it: *"
    }

    It 'reads what was bought before anything runs' {
        $ran = [System.Collections.Generic.List[int]]::new()
        (Get-ErrorOf { & { $ran.Add(1); New-TestResult } | Export-IoReport $book -Provisioned 'azure:foo' }).FullyQualifiedErrorId | Should -BeLike 'IoBench.*,IoBench.PowerShell.ExportIoReportCommand'
        $ran.Count | Should -Be 0
        Test-Path $book | Should -BeFalse
    }

    It 'reads the baseline before anything runs' {
        $ran = [System.Collections.Generic.List[int]]::new()
        (Get-ErrorOf { & { $ran.Add(1); New-TestResult } | Export-IoReport $book -Baseline (Join-Path $TestDrive 'no.json') }).FullyQualifiedErrorId | Should -Be 'IoBench.FileNotFound,IoBench.PowerShell.ExportIoReportCommand'
        $ran.Count | Should -Be 0
    }

    It 'is terminating when it cannot write' {
        { New-TestResult | Export-IoReport (Join-Path $TestDrive 'no' 'such' 'folder.xlsx') } | Should -Throw -ErrorId 'IoBench.FolderNotFound,IoBench.PowerShell.ExportIoReportCommand'
        { New-TestResult | Export-IoReport (Join-Path $TestDrive 'report.docx') } | Should -Throw -ErrorId 'IoBench.UnknownReportFormat,IoBench.PowerShell.ExportIoReportCommand'
        { New-TestResult | Export-IoReport $TestDrive } | Should -Throw -ErrorId 'IoBench.InvalidOutputPath,IoBench.PowerShell.ExportIoReportCommand'
    }

    It 'has nothing to write for an empty pipeline, and says so' {
        { @() | Export-IoReport $book } | Should -Throw -ErrorId 'IoBench.NoResults,IoBench.PowerShell.ExportIoReportCommand'
        Test-Path $book | Should -BeFalse
    }

    It 'takes no <Name>' -ForEach @(
        @{ Name = 'number'; Value = 5 }
        @{ Name = 'text'; Value = 'report' }
        @{ Name = 'process'; Value = (Get-Process -Id $PID) }
    ) {
        { $Value | Export-IoReport $book -ErrorAction Stop } | Should -Throw -ErrorId 'InputObjectNotBound,IoBench.PowerShell.ExportIoReportCommand'
    }

    It 'leaves out what is wrong among good input' {
        $problems = (New-TestResult), 'x' | Export-IoReport $book -ErrorAction Continue 2>&1
        $problems.FullyQualifiedErrorId | Should -Be 'InputObjectNotBound,IoBench.PowerShell.ExportIoReportCommand'
        Test-Path $book | Should -BeTrue
    }

    It 'puts the date where {date} stands' {
        $file = New-TestResult | Export-IoReport (Join-Path $TestDrive 'night-{date}.xlsx') -PassThru
        $file.Name | Should -Match '^night-\d{4}-\d{2}-\d{2}\.xlsx$'
    }

    It 'makes one picture of the extension .svg' {
        $picture = Join-Path $TestDrive 'card.svg'
        New-TestResult | Export-IoReport $picture
        ([xml](Get-Content -LiteralPath $picture -Raw)).svg.viewBox | Should -Be '0 0 1200 630'
    }

    It 'makes a page of the extension .html' {
        $page = Join-Path $TestDrive 'report.html'
        New-TestResult | Export-IoReport $page
        Get-Content -LiteralPath $page -Raw | Should -Match '(?s)<section id="Summary">.*<section id="Settings">'
    }

    It 'makes the classic sheet of any results with -Classic' {
        New-TestResult | Export-IoReport $book -Classic
        $zip = [System.IO.Compression.ZipFile]::OpenRead($book)
        try {
            $reader = [System.IO.StreamReader]::new($zip.GetEntry('xl/tables/table1.xml').Open())
            ([xml]$reader.ReadToEnd()).table.tableColumns.tableColumn.name | Should -Be @('Threadcount', 'Outstanding IO', 'Testfile Path', 'Datafile size', 'Duration', 'IO Pattern', 'Bandwidth(MB/s)', 'IOPs', 'Average latency(ms)')
        } finally {
            $zip.Dispose()
        }
    }

    It 'leaves the summary out with -NoSummary' {
        New-TestResult | Export-IoReport $book -NoSummary
        Get-SheetName $book | Should -Not -Contain 'Summary'
    }

    It 'takes a baseline from a file and says so when it is missing' {
        $file = Join-Path $TestDrive 'base.json'
        New-TestResult -Iops 100 | Export-IoResult $file -Force
        New-TestResult | Export-IoReport $book -Baseline $file
        Test-Path $book | Should -BeTrue
        { New-TestResult | Export-IoReport $book -Force -Baseline (Join-Path $TestDrive 'no.json') } | Should -Throw -ErrorId 'IoBench.FileNotFound,IoBench.PowerShell.ExportIoReportCommand'
    }

    It 'takes no other object for a package' {
        { New-TestResult | Export-IoReport -ExcelPackage 'x' } | Should -Throw -ErrorId 'IoBench.NotAnExcelPackage,IoBench.PowerShell.ExportIoReportCommand'
    }
}

Describe 'Export-IoReport with ImportExcel' {
    BeforeAll {
        $hasImportExcel = $null -ne (Get-Module -ListAvailable ImportExcel)
        if ($hasImportExcel) {
            Import-Module ImportExcel -WarningAction SilentlyContinue 3>$null
        }

        function Read-Part {
            <# The parts of a workbook whose names match, as XML. #>
            param([string] $Path, [string] $Match)

            $zip = [System.IO.Compression.ZipFile]::OpenRead($Path)
            try {
                foreach ($entry in $zip.Entries.Where({ $_.FullName -match $Match })) {
                    $reader = [System.IO.StreamReader]::new($entry.Open())
                    , [xml]$reader.ReadToEnd()
                    $reader.Dispose()
                }
            } finally {
                $zip.Dispose()
            }
        }

        function Get-ChartFormula {
            <# What each chart of a workbook draws from, an array a chart. #>
            param([string] $Path)

            foreach ($chart in Read-Part -Path $Path -Match '^xl/charts/chart') {
                , [string[]]$chart.SelectNodes("//*[local-name()='f']").InnerText
            }
        }
    }

    BeforeEach {
        if (-not $hasImportExcel) {
            Set-ItResult -Skipped -Because 'needs the module ImportExcel'
            return
        }
        $book = Join-Path $TestDrive "$([guid]::NewGuid()).xlsx"
        $results = (New-TestResult -Iops 12172.25), (New-TestResult -Iops 3.5 -Workload 'oltp' -Label '=1+1'), (New-TestResult -Iops 100 -Workload 'log-commit')
    }

    It 'reads the table of results back with the same numbers' {
        $results | Export-IoReport $book
        $rows = Import-Excel $book -WorksheetName Results -StartRow 3
        $rows.Count | Should -Be 3
        for ($row = 0; $row -lt 3; $row++) {
            $rows[$row].IOPs | Should -Be $results[$row].IOPS
            $rows[$row].'Bandwidth(MB/s)' | Should -Be $results[$row].BandwidthMBps
            $rows[$row].'Average latency(ms)' | Should -Be $results[$row].AverageLatencyMs
            $rows[$row].Threadcount | Should -Be $results[$row].ThreadCount
            $rows[$row].'Testfile Path' | Should -Be 'T:\iobench.dat'
            $rows[$row].'Datafile size' | Should -Be '20480 MB'
        }
        $rows[1].'IO Pattern' | Should -Be '8KB random read'
        $rows[1].Label | Should -Be '=1+1'
    }

    It 'reads dates and every property back' {
        $results | Export-IoReport $book
        $rows = Import-Excel $book -WorksheetName Details -StartRow 3
        $rows[1].Label | Should -Be '=1+1'
        $started = $rows[0].'StartTime (time zone of the test)'
        ($started -is [datetime] ? $started : [datetime]::FromOADate($started)) | Should -Be ([datetime]'2026-03-01T22:00:00')
    }

    It 'reads every property of every run back as it was' {
        $results | Export-IoReport $book
        $rows = @(Import-Excel $book -WorksheetName Details -StartRow 3)
        $compared = 0
        foreach ($index in 0..2) {
            foreach ($column in $rows[$index].PSObject.Properties) {
                $name = ($column.Name -split ' \(')[0]
                $value = $results[$index].PSObject.Properties[$name].Value
                if ($value -is [datetimeoffset] -or $value -is [System.Collections.IList]) {
                    continue
                }
                $wanted = $value -is [enum] -or $value -is [string] ? "$value" : $value
                $column.Value | Should -Be $wanted -Because $column.Name
                $compared += $null -ne $value
            }
        }
        $compared | Should -BeGreaterThan 60
    }

    It 'can be opened, extended and saved with its charts and tables' {
        $results | Export-IoReport $book
        $before = @(Get-ChartFormula $book)
        $package = Open-ExcelPackage $book
        $sheet = Add-Worksheet -ExcelPackage $package -WorksheetName 'Mine' -WarningAction SilentlyContinue
        $sheet.Cells['A1'].Value = 'hello'
        Close-ExcelPackage $package

        Get-SheetName $book | Should -Be @('Summary', 'Results', 'Details', 'Latency', 'Timeline', 'Settings', 'ChartData', 'Mine')
        (@(Get-ChartFormula $book) | ForEach-Object { $_ }) | Should -Be ($before | ForEach-Object { $_ })
        (Import-Excel $book -WorksheetName Results -StartRow 3).IOPs | Should -Be $results.IOPS
        (Read-Part $book '^xl/workbook.xml').workbook.sheets.sheet.Where({ $_.name -eq 'ChartData' }).state | Should -Be 'hidden'
    }

    It 'opens in LibreOffice with its charts after that' {
        $soffice = Get-Command soffice, pdftotext -ErrorAction Ignore
        if (@($soffice).Count -lt 2) {
            Set-ItResult -Skipped -Because 'needs soffice and pdftotext, which are not on the PATH'
            return
        }
        $results | Export-IoReport $book
        $package = Open-ExcelPackage $book
        $null = Add-Worksheet -ExcelPackage $package -WorksheetName 'Mine' -WarningAction SilentlyContinue
        Close-ExcelPackage $package
        $null = & soffice --headless "-env:UserInstallation=file://$TestDrive/profile" --convert-to pdf --outdir $TestDrive $book 2>&1
        $text = & pdftotext ($book -replace '\.xlsx$', '.pdf') - | Out-String
        foreach ($title in 'Bandwidth', 'IOPs', 'Average Latency', 'Latency by percentile', 'IOPS over time') {
            $text | Should -Match "(?m)^$title"
        }
    }

    It 'adds its sheets and charts to an open package' {
        $package = [pscustomobject]@{ A = 1 } | Export-Excel $book -WorksheetName 'Mine' -TableName 'Results' -PassThru -WarningAction SilentlyContinue
        $results | Export-IoReport -ExcelPackage $package
        Close-ExcelPackage $package

        Get-SheetName $book | Should -Be @('Mine', 'Summary', 'Results', 'Details', 'Latency', 'Timeline', 'Settings', 'ChartData')
        (Import-Excel $book -WorksheetName Results -StartRow 3).IOPs | Should -Be $results.IOPS
        $charts = @(Read-Part $book '^xl/charts/chart')
        $charts.Count | Should -Be 8
        foreach ($chart in $charts) {
            # Values for viewers that do not calculate, and fills without which LibreOffice draws nothing.
            $chart.SelectNodes("//*[local-name()='ser']").Count | Should -Be $chart.SelectNodes("//*[local-name()='ser']/*[local-name()='spPr'][*]").Count
            $chart.SelectNodes("//*[local-name()='numCache']/*[local-name()='pt']").Count | Should -BeGreaterThan 0
        }
        $tables = (Read-Part $book '^xl/tables/') | ForEach-Object { $_.table.displayName }
        @($tables | Sort-Object -Unique).Count | Should -Be @($tables).Count
        $tables | Should -Contain 'Results_2'
        (Read-Part $book '^xl/workbook.xml').workbook.sheets.sheet.Where({ $_.name -eq 'ChartData' }).state | Should -Be 'hidden'
    }

    It 'gives a second report its own sheets, tables and chart data' {
        $package = [pscustomobject]@{ A = 1 } | Export-Excel $book -WorksheetName 'Mine' -PassThru -WarningAction SilentlyContinue
        $results | Export-IoReport -ExcelPackage $package
        New-TestResult -Iops 7 | Export-IoReport -ExcelPackage $package -NoSummary
        Close-ExcelPackage $package

        Get-SheetName $book | Should -Be @('Mine', 'Summary', 'Results', 'Details', 'Latency', 'Timeline', 'Settings', 'ChartData',
            'Results 2', 'Details 2', 'Latency 2', 'Timeline 2', 'Settings 2', 'ChartData 2')
        (Import-Excel $book -WorksheetName 'Results 2' -StartRow 3).IOPs | Should -Be 7
        $ours = @(Get-ChartFormula $book)
        $ours.Where({ $_[0] -like "'ChartData'!*" }).Count | Should -Be 8
        $ours.Where({ $_[0] -like "'ChartData 2'!*" }).Count | Should -Be 6
        $tables = (Read-Part $book '^xl/tables/') | ForEach-Object { $_.table.displayName }
        @($tables | Sort-Object -Unique).Count | Should -Be @($tables).Count
    }
}
