BeforeDiscovery {
    $hasImportExcel = $null -ne (Get-Module -ListAvailable ImportExcel)
}

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

    It 'does not replace a file unless forced' {
        [System.IO.File]::WriteAllText($book, 'precious')
        $problem = Get-ErrorOf { New-TestResult | Export-IoReport $book }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.FileExists,Export-IoReport'
        $problem.CategoryInfo.Category | Should -Be 'ResourceExists'
        $problem.ErrorDetails.RecommendedAction | Should -Match '-Force'
        [System.IO.File]::ReadAllText($book) | Should -Be 'precious'
        New-TestResult | Export-IoReport $book -Force
        Get-SheetName $book | Should -Contain 'Results'
    }

    It 'is terminating when it cannot write' {
        { New-TestResult | Export-IoReport (Join-Path $TestDrive 'no' 'such' 'folder.xlsx') } | Should -Throw -ErrorId 'IoBench.FolderNotFound,Export-IoReport'
        { New-TestResult | Export-IoReport (Join-Path $TestDrive 'report.docx') } | Should -Throw -ErrorId 'IoBench.UnknownReportFormat,Export-IoReport'
        { New-TestResult | Export-IoReport $TestDrive } | Should -Throw -ErrorId 'IoBench.InvalidOutputPath,Export-IoReport'
    }

    It 'has nothing to write for an empty pipeline, and says so' {
        { @() | Export-IoReport $book } | Should -Throw -ErrorId 'IoBench.NoResults,Export-IoReport'
        Test-Path $book | Should -BeFalse
    }

    It 'takes no <Name>' -ForEach @(
        @{ Name = 'number'; Value = 5 }
        @{ Name = 'text'; Value = 'report' }
        @{ Name = 'process'; Value = (Get-Process -Id $PID) }
    ) {
        { $Value | Export-IoReport $book -ErrorAction Stop } | Should -Throw -ErrorId 'InputObjectNotBound,Export-IoReport'
    }

    It 'leaves out what is wrong among good input' {
        $problems = (New-TestResult), 'x' | Export-IoReport $book -ErrorAction Continue 2>&1
        $problems.FullyQualifiedErrorId | Should -Be 'InputObjectNotBound,Export-IoReport'
        Test-Path $book | Should -BeTrue
    }

    It 'puts the date where {date} stands' {
        $file = New-TestResult | Export-IoReport (Join-Path $TestDrive 'night-{date}.xlsx') -PassThru
        $file.Name | Should -Match '^night-\d{4}-\d{2}-\d{2}\.xlsx$'
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
        { New-TestResult | Export-IoReport $book -Force -Baseline (Join-Path $TestDrive 'no.json') } | Should -Throw -ErrorId 'IoBench.FileNotFound,Export-IoReport'
    }

    It 'adds its sheets and charts to an open package of ImportExcel' -Skip:(-not $hasImportExcel) {
        Import-Module ImportExcel -WarningAction SilentlyContinue
        $package = [pscustomobject]@{ A = 1 } | Export-Excel $book -WorksheetName 'Mine' -PassThru -WarningAction SilentlyContinue
        New-TestResult | Export-IoReport -ExcelPackage $package
        New-TestResult | Export-IoReport -ExcelPackage $package
        Close-ExcelPackage $package
        $names = Get-SheetName $book
        $names | Should -Contain 'Mine'
        $names | Should -Contain 'Results'
        $names | Should -Contain 'Results 2'
        $zip = [System.IO.Compression.ZipFile]::OpenRead($book)
        $charts = $zip.Entries.Where({ $_.FullName -like 'xl/charts/chart*' }).Count
        $zip.Dispose()
        $charts | Should -BeGreaterOrEqual 6
    }

    It 'takes no other object for a package' {
        { New-TestResult | Export-IoReport -ExcelPackage 'x' } | Should -Throw -ErrorId 'IoBench.NotAnExcelPackage,Export-IoReport'
    }
}
