BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $runs = Join-Path $samples 'diskspd-runs'
    $text = Join-Path $runs 'v21-Sh.out'
    $null = $runs, $text
}

Describe 'Import-DiskSpdResult' {
    It 'reads text, with what DiskSpd knows of it' {
        $result = Import-DiskSpdResult $text
        $result.Source | Should -Be 'DiskSpd'
        $result.ToolVersion | Should -Match '^2\.1'
        $result.Status | Should -Be 'Complete'
        $result.IOPS | Should -BeGreaterThan 0
        $result.Buffering | Should -Be 'None'
        $result.SourceFile | Should -Be $text
    }

    It 'reads XML' {
        $result = Import-DiskSpdResult (Join-Path $runs 'v21-multi-si-L-D-xml.out')
        $result[0].Source | Should -Be 'DiskSpdXml'
        $result[0].Timeline.Count | Should -BeGreaterThan 0
        $result[0].P99Ms | Should -Not -BeNullOrEmpty
    }

    It 'reads a folder, labels by file or folder, and goes on after what is no output' {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'runs')).FullName
        foreach ($name in 'v21-Sh.out', 'v22-Sh.out') { Copy-Item -LiteralPath (Join-Path $runs $name) -Destination $folder }
        (Import-DiskSpdResult $folder -LabelFrom FileName).Label | Should -Be 'v21-Sh', 'v22-Sh'
        (Import-DiskSpdResult $folder -LabelFrom Folder).Label | Should -Be 'runs', 'runs'
        (Get-ChildItem $folder | Import-DiskSpdResult -Label 'A').Label | Should -Be 'A', 'A'
        Set-Content (Join-Path $folder 'b.txt') 'diary'
        $results = Import-DiskSpdResult (Join-Path $folder '*') -ErrorAction SilentlyContinue -ErrorVariable problems
        $results.Count | Should -Be 2
        $problems.FullyQualifiedErrorId | Should -Be 'IoBench.UnknownFormat,IoBench.PowerShell.ImportDiskSpdResultCommand'
    }

    It 'reads a folder''s folders with -Recurse' {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'top' 'sub')).FullName
        Copy-Item -LiteralPath $text -Destination $folder
        @(Import-DiskSpdResult (Join-Path $TestDrive 'top') -Recurse).Count | Should -Be 1
    }

    It 'sends output of another tool where it belongs' {
        $problem = Get-ErrorOf { Import-DiskSpdResult (Join-Path $samples 'documents' 'write-8k-sequential-BN.txt') }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.WrongTool,IoBench.PowerShell.ImportDiskSpdResultCommand'
        $problem.Exception.Message | Should -Match 'Import-SqlioResult'
    }

    It 'takes a name with brackets' {
        $file = Join-Path $TestDrive 'run[1].txt'
        [System.IO.File]::Copy($text, $file)
        @(Import-DiskSpdResult -LiteralPath $file).Count | Should -Be 1
    }
}
