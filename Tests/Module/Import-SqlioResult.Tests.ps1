BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $sqlio = Join-Path $samples 'documents' 'reads-8k-random-3-files.txt'
}

Describe 'Import-SqlioResult' {
    It 'gives the three runs of the document, figure by figure' {
        $results = Import-SqlioResult $sqlio
        $results.IOPS | Should -Be 15504.09, 18325.52, 191786.53
        $results.BandwidthMBps | Should -Be 121.12, 143.16, 1498.33
        $results.AverageLatencyMs | Should -Be 24, 20, 1
        $results.ThreadCount | Should -Be 48, 48, 40
        $results.OutstandingIO | Should -Be 8, 8, 8
        $results.FileSizeMB | Should -Be 92160, 92160, 92160
        $results.DurationSeconds | Should -Be 7200, 7200, 7200
        $results.IOPattern | Should -Be '8KB random read', '8KB random read', '8KB random read'
        $results.Path.Substring(0, 2) | Should -Be 'O:', 'P:', 'H:'
        $results.P99Ms | Should -Be $null, $null, $null
    }

    It 'sends output of another tool where it belongs' {
        $file = Join-Path $TestDrive 'mine.json'
        New-TestResult | Export-IoResult $file -Force
        $problem = Get-ErrorOf { Import-SqlioResult $file }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.WrongTool,IoBench.PowerShell.ImportSqlioResultCommand'
        $problem.Exception.Message | Should -Match 'Import-IoResult'
    }

    It 'writes the three runs as a workbook' {
        $book = Join-Path $TestDrive 'r.xlsx'
        Import-SqlioResult $sqlio | Export-IoReport $book
        [System.IO.File]::ReadAllBytes($book)[0..1] | Should -Be 0x50, 0x4B
    }
}
