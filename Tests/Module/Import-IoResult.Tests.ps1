BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $sqlio = Join-Path $samples 'documents' 'reads-8k-random-3-files.txt'
    $diskspd = Join-Path $samples 'diskspd-runs' 'v21-Sh.out'
    $single = Join-Path $samples 'documents' 'write-8k-sequential-BN.txt'
}

Describe 'Import-IoResult' {
    It 'shows many files as one table with a File column' {
        $folder = Join-Path $TestDrive 'many'
        $null = New-Item -ItemType Directory $folder
        foreach ($name in 'a', 'b', 'c') {
            Copy-Item (Join-Path $samples 'documents/reads-8k-random-3-files.txt') (Join-Path $folder "$name.txt")
        }
        $lines = (Import-IoResult $folder | Out-String -Width 79 -Stream).Where({ $_ })
        $lines.Count | Should -Be 11
        $lines[0] | Should -Match '^File +Test +Thr +QD +MBps +IOPS +AvgMs$'
        $lines[2..10] | Should -Match '^[abc]\.txt '
        ($lines | Measure-Object -Property Length -Maximum).Maximum | Should -BeLessOrEqual 79
    }

    It 'says what it skipped in a folder, and names each file with -Verbose' {
        $folder = Join-Path $TestDrive 'mixed'
        $null = New-Item -ItemType Directory $folder
        Copy-Item (Join-Path $samples 'documents/reads-8k-random-3-files.txt') (Join-Path $folder 'a.txt')
        Set-Content (Join-Path $folder 'diary.txt') 'Dear diary'
        $null = New-Item (Join-Path $folder 'empty.txt')
        $said = Import-IoResult $folder -Verbose -WarningVariable warnings -WarningAction SilentlyContinue 4>&1
        $warnings.ForEach({ "$_" }) | Should -Be "$($folder): 3 results from 1 file. Skipped: 1 not from a known tool (diary.txt), 1 empty (empty.txt)."
        "$($said -match 'skipped')" | Should -Match 'diary.txt: skipped: not from a known tool'
    }

    It 'reads what ConvertTo-Json made of results and of rows' {
        $result = New-TestResult -Iops 123.5
        foreach ($made in @{ Of = $result; Count = 1 }, @{ Of = ($result, (New-TestResult)); Count = 2 }, @{ Of = ($result | ConvertTo-IoRow); Count = 1 }) {
            $file = Join-Path $TestDrive "made-$([guid]::NewGuid()).json"
            ConvertTo-Json $made.Of -Depth 10 | Set-Content $file
            $read = @(Import-IoResult $file)
            $read.Count | Should -Be $made.Count
            $read[0].IOPS | Should -Be 123.5
            $read[0].Operation | Should -Be 'Read'
            $read[0].StartTime | Should -Be $result.StartTime
            $read[0].Warnings | Should -Be 'a quick look'
        }
    }

    It 'reads a file by position' {
        (Import-IoResult $sqlio).Count | Should -Be 3
    }

    It 'takes paths, file objects and objects with a FullName through the pipeline' {
        ($sqlio, $single | Import-IoResult).Count | Should -Be 4
        (Get-Item $sqlio | Import-IoResult).Count | Should -Be 3
        ([pscustomobject]@{ FullName = $sqlio } | Import-IoResult).Count | Should -Be 3
    }

    It 'reads a file with brackets in its name' {
        $file = Join-Path $TestDrive 'run[1].txt'
        [System.IO.File]::Copy($single, $file, $true)
        (Get-ChildItem -LiteralPath $TestDrive -Filter 'run*' | Import-IoResult).IOPS | Should -Be 28794.08
        (Import-IoResult -LiteralPath $file).IOPS | Should -Be 28794.08
        (Import-IoResult $file).IOPS | Should -Be 28794.08
    }

    It 'expands wildcards' {
        (Import-IoResult (Join-Path $samples 'documents' 'write-8k-*.txt')).Count | Should -Be 2
    }

    It 'reads the result files of a folder and passes over the others' {
        $files = (Import-IoResult (Join-Path $samples 'documents') -WarningAction SilentlyContinue).SourceFile | Split-Path -Leaf | Sort-Object -Unique
        $files | Should -Contain 'reads-8k-random-3-files.txt'
        $files | Should -Not -Contain 'param.txt'
    }

    It 'reads folders of a folder with -Recurse only' {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'top' 'sub')).FullName
        [System.IO.File]::Copy($single, (Join-Path $folder 'a.txt'), $true)
        $problem = Get-ErrorOf { Import-IoResult (Split-Path $folder) }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.NoResultFiles,IoBench.PowerShell.ImportIoResultCommand'
        (Import-IoResult (Split-Path $folder) -Recurse).IOPS | Should -Be 28794.08
    }

    It 'labels by name, file or folder' {
        (Import-IoResult $single -Label 'Old SAN').Label | Should -Be 'Old SAN'
        (Import-IoResult $single -LabelFrom FileName).Label | Should -Be 'write-8k-sequential-BN'
        (Import-IoResult $single -LabelFrom Folder).Label | Should -Be 'documents'
    }

    It 'refuses a label of one''s own beside one of names, before anything is read' {
        $problem = Get-ErrorOf { Import-IoResult (Join-Path $TestDrive 'missing.txt') -Label 'Old SAN' -LabelFrom Folder }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.ConflictingOptions,IoBench.PowerShell.ImportIoResultCommand'
        $problem.Exception.Message | Should -Be '-Label and -LabelFrom cannot be combined.'
    }

    It 'goes on after a bad file, with an error for it' {
        $missing = Join-Path $TestDrive 'missing.txt'
        $results = Import-IoResult $missing, $single -ErrorAction SilentlyContinue -ErrorVariable problems
        $results.IOPS | Should -Be 28794.08
        $problems.Count | Should -Be 1
        $problems[0].FullyQualifiedErrorId | Should -Be 'IoBench.FileNotFound,IoBench.PowerShell.ImportIoResultCommand'
        $problems[0].CategoryInfo.Category | Should -Be 'ObjectNotFound'
        $problems[0].TargetObject | Should -Be $missing
        $problems[0].ErrorDetails.RecommendedAction | Should -Not -BeNullOrEmpty
    }

    It 'stops at a bad file when asked to' {
        { Import-IoResult (Join-Path $TestDrive 'missing.txt'), $single -ErrorAction Stop } | Should -Throw -ErrorId 'IoBench.FileNotFound,IoBench.PowerShell.ImportIoResultCommand'
    }

    It 'says what a <Name> is' -ForEach @(
        @{ Name = 'empty file'; Bytes = [byte[]]@(); Id = 'IoBench.EmptyFile' }
        @{ Name = 'binary file'; Bytes = [byte[]](0..255 + 0..255); Id = 'IoBench.BinaryFile' }
        @{ Name = 'foreign file'; Bytes = [System.Text.Encoding]::UTF8.GetBytes("Dear diary,`nnothing today.`n"); Id = 'IoBench.UnknownFormat' }
    ) {
        $file = Join-Path $TestDrive 'input.txt'
        [System.IO.File]::WriteAllBytes($file, $Bytes)
        $problem = Get-ErrorOf { Import-IoResult $file }
        $problem.FullyQualifiedErrorId | Should -Be "$Id,IoBench.PowerShell.ImportIoResultCommand"
        $problem.CategoryInfo.Category | Should -Be 'InvalidData'
        $problem.Exception.Message | Should -Not -Match "`n"
    }

    It 'warns of a run that ends before its results and reads the others' {
        $text = [System.IO.File]::ReadAllText($sqlio)
        $file = Join-Path $TestDrive 'cut.txt'
        [System.IO.File]::WriteAllText($file, $text.Substring(0, $text.LastIndexOf('throughput metrics')))
        $results = Import-IoResult $file -WarningVariable warnings -WarningAction SilentlyContinue
        $results.Where({ $_.Status -eq 'Complete' }).Count | Should -Be 2
        "$warnings" | Should -Match 'cut\.txt'
    }

    It 'reports a wildcard without match, an empty path and another provider' {
        (Get-ErrorOf { Import-IoResult (Join-Path $TestDrive 'nothing*.txt') }).FullyQualifiedErrorId | Should -Be 'IoBench.NoMatch,IoBench.PowerShell.ImportIoResultCommand'
        (Get-ErrorOf { Import-IoResult ' ' }).FullyQualifiedErrorId | Should -Be 'IoBench.EmptyPath,IoBench.PowerShell.ImportIoResultCommand'
        (Get-ErrorOf { Import-IoResult 'Env:\PATH' }).FullyQualifiedErrorId | Should -Be 'IoBench.NotAFilePath,IoBench.PowerShell.ImportIoResultCommand'
        (Get-ErrorOf { Import-IoResult 'nodrive:\x' }).FullyQualifiedErrorId | Should -Be 'IoBench.DriveNotFound,IoBench.PowerShell.ImportIoResultCommand'
    }

    It 'refuses null and does nothing for an empty pipeline' {
        { Import-IoResult $null } | Should -Throw -ErrorId 'ParameterArgumentValidationErrorNullNotAllowed,IoBench.PowerShell.ImportIoResultCommand'
        @() | Import-IoResult | Should -BeNullOrEmpty
    }

    It 'gives the results as they are read: what follows may stop it' {
        ($sqlio | Import-IoResult | Select-Object -First 1).IOPS | Should -Be 15504.09
    }

    It 'leaves an error of the next command to that command' {
        $problem = $null
        try {
            Import-IoResult $sqlio | ForEach-Object { throw 'mine' }
        } catch {
            $problem = $_
        }
        $problem.Exception.Message | Should -Be 'mine'
    }
}
