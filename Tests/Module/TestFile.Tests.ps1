BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'New-IoTestFile and Remove-IoTestFile' {
    BeforeEach {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive ([guid]::NewGuid()))).FullName
    }

    It 'make and remove a file' {
        $file = New-IoTestFile (Join-Path $folder 'a.dat') -FileSize 4MB
        $file | Should -BeOfType System.IO.FileInfo
        $file.Length | Should -Be 4MB
        $file | Remove-IoTestFile
        Get-ChildItem $folder -Force | Should -BeNullOrEmpty
    }

    It 'take a folder for iobench.dat in it, and several' {
        (New-IoTestFile $folder -FileSize 1MB).Name | Should -Be 'iobench.dat'
        Remove-IoTestFile $folder
        ('x.dat', 'y.dat' | ForEach-Object { Join-Path $folder $_ } | New-IoTestFile -FileSize 1MB).Count | Should -Be 2
        Remove-IoTestFile (Join-Path $folder '*.dat')
        Get-ChildItem $folder -Force | Should -BeNullOrEmpty
    }

    It 'touch nothing with -WhatIf' {
        New-IoTestFile (Join-Path $folder 'a.dat') -FileSize 1MB -WhatIf | Should -BeNullOrEmpty
        Get-ChildItem $folder -Force | Should -BeNullOrEmpty
        $file = New-IoTestFile (Join-Path $folder 'a.dat') -FileSize 1MB
        Remove-IoTestFile $file.FullName -WhatIf
        $file.Exists | Should -BeTrue
    }

    It 'fill the file with what does not compress' {
        $file = New-IoTestFile (Join-Path $folder 'a.dat') -FileSize 1MB
        $packed = [System.IO.MemoryStream]::new()
        $stream = [System.IO.Compression.DeflateStream]::new($packed, [System.IO.Compression.CompressionLevel]::Fastest, $true)
        $bytes = [System.IO.File]::ReadAllBytes($file.FullName)
        $stream.Write($bytes, 0, $bytes.Length)
        $stream.Dispose()
        $packed.Length | Should -BeGreaterThan (0.95 * 1MB)
    }

    It 'do not remove somebody else''s file, nor make one over it' {
        $file = Join-Path $folder 'theirs.dat'
        Set-Content $file 'precious'
        $problem = Get-ErrorOf { Remove-IoTestFile $file }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.ForeignFile,Remove-IoTestFile'
        $problem.CategoryInfo.Category | Should -Be 'PermissionDenied'
        (Get-ErrorOf { New-IoTestFile $file -FileSize 1MB }).FullyQualifiedErrorId | Should -Be 'IoBench.ForeignFile,New-IoTestFile'
        Get-Content $file | Should -Be 'precious'
    }

    It 'go on after a missing one' {
        $file = New-IoTestFile (Join-Path $folder 'a.dat') -FileSize 1MB
        Remove-IoTestFile (Join-Path $folder 'no.dat'), $file.FullName -ErrorAction SilentlyContinue -ErrorVariable problems
        $problems.FullyQualifiedErrorId | Should -Be 'IoBench.FileNotFound,Remove-IoTestFile'
        Test-Path $file.FullName | Should -BeFalse
    }

    It 'refuse a name of SQL Server''s' {
        (Get-ErrorOf { New-IoTestFile (Join-Path $folder 'data.mdf') -FileSize 1MB }).FullyQualifiedErrorId | Should -Be 'IoBench.SqlServerFile,New-IoTestFile'
        Get-ChildItem $folder -Force | Should -BeNullOrEmpty
    }

    It 'leave nothing of a file when stopped' {
        $file = Join-Path $folder 'big.dat'
        $shell = [powershell]::Create()
        $null = $shell.AddScript("Import-Module '$repository/IoBench.psd1'; New-IoTestFile '$file' -FileSize 4GB")
        $null = $shell.BeginInvoke()
        $deadline = [datetime]::UtcNow.AddSeconds(30)
        while (-not (Test-Path $file) -and [datetime]::UtcNow -lt $deadline) { Start-Sleep -Milliseconds 10 }
        $shell.Stop()
        Get-ChildItem $folder -Force | Where-Object { $_.Length -gt 0 } | Should -BeNullOrEmpty
        $shell.Dispose()
    }
}
