BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Remove-IoTestFile' {
    BeforeEach {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive ([guid]::NewGuid()))).FullName
    }

    It 'removes a file with its mark, and a folder''s iobench.dat' {
        New-IoTestFile (Join-Path $folder 'a.dat') -FileSize 1MB | Remove-IoTestFile | Should -BeNullOrEmpty
        $null = New-IoTestFile $folder -FileSize 1MB
        Remove-IoTestFile $folder
        Get-ChildItem $folder -Force | Should -BeNullOrEmpty
    }

    It 'takes wildcards, and names with brackets' {
        $null = 'x.dat', 'y.dat' | ForEach-Object { Join-Path $folder $_ } | New-IoTestFile -FileSize 1MB
        $file = New-IoTestFile -LiteralPath (Join-Path $folder 'z[1].dat') -FileSize 1MB
        Remove-IoTestFile (Join-Path $folder '?.dat')
        (Get-ChildItem $folder).Name | Should -Be 'z[1].dat'
        $file | Remove-IoTestFile
        Get-ChildItem $folder -Force | Should -BeNullOrEmpty
    }

    It 'takes what Get-DbaDbFile and a result put out' {
        $file = New-IoTestFile (Join-Path $folder 'a.dat') -FileSize 1MB
        [pscustomobject]@{ Database = 'x'; PhysicalName = $file.FullName } | Remove-IoTestFile
        $file.FullName | Should -Not -Exist
        Invoke-IoTest $folder -FileSize 1MB -Duration 0.1 -WarmUp 0 -WarningAction SilentlyContinue | Remove-IoTestFile
        Get-ChildItem $folder -Force | Should -BeNullOrEmpty
    }

    It 'takes all targets of a result or a test, and each file once' {
        $files = 'a.dat', 'b.dat' | ForEach-Object { Join-Path $folder $_ }
        $run = @{ FileSize = '1MB'; Duration = 0.1; WarmUp = 0; WarningAction = 'SilentlyContinue' }
        Invoke-IoTest $files @run -PathMode Together -Repeat 2 | Remove-IoTestFile -ErrorVariable problems
        $problems | Should -BeNullOrEmpty
        Get-ChildItem $folder -Force | Should -BeNullOrEmpty
        $null = New-IoTestFile $files -FileSize 1MB
        New-IoTestSpecification $files -BlockSize 64KB | Remove-IoTestFile
        Get-ChildItem $folder -Force | Should -BeNullOrEmpty
        (Get-ErrorOf { [pscustomobject]@{ Name = 'x' } | Remove-IoTestFile }).FullyQualifiedErrorId | Should -BeLike 'IoBench.NotAPath,*'
    }

    It 'takes nothing but the path of a row' {
        $file = New-IoTestFile (Join-Path $folder 'a.dat') -FileSize 1MB
        [pscustomobject]@{ Path = $file.FullName; BlockSize = 'none'; Colour = 'red' } | Remove-IoTestFile -WarningVariable said -ErrorVariable problems
        "$said$problems" | Should -BeNullOrEmpty
        $file.FullName | Should -Not -Exist
    }

    It 'touches nothing with -WhatIf' {
        $file = New-IoTestFile (Join-Path $folder 'a.dat') -FileSize 1MB
        Remove-IoTestFile $file.FullName -WhatIf
        $file.FullName | Should -Exist
    }

    It 'does not remove somebody else''s file, nor one that was changed since' {
        $file = Join-Path $folder 'theirs.dat'
        Set-Content $file 'precious'
        $problem = Get-ErrorOf { Remove-IoTestFile $file }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.ForeignFile,IoBench.PowerShell.RemoveIoTestFileCommand'
        $problem.CategoryInfo.Category | Should -Be 'PermissionDenied'
        $problem.ErrorDetails.RecommendedAction | Should -BeLike "*a command of the operating system*"
        Get-Content $file | Should -Be 'precious'
        (Get-Command Remove-IoTestFile).Parameters.Keys | Should -Not -Contain 'Force'
    }

    It 'does not remove its own file with the name of a database' {
        $file = New-IoTestFile (Join-Path $folder 'a.dat') -FileSize 1MB
        Move-Item $file.FullName (Join-Path $folder 'own.mdf')
        (Get-ErrorOf { Remove-IoTestFile (Join-Path $folder 'own.mdf') }).FullyQualifiedErrorId | Should -BeLike 'IoBench.SqlServerFile,*'
        Join-Path $folder 'own.mdf' | Should -Exist
    }

    It 'never removes a SQL Server file' {
        $file = Join-Path $folder 'data.mdf'
        [System.IO.File]::WriteAllBytes($file, [byte[]]::new(1MB))
        $problem = Get-ErrorOf { Remove-IoTestFile $file -WhatIf }
        $problem.FullyQualifiedErrorId | Should -Be 'IoBench.SqlServerFile,IoBench.PowerShell.RemoveIoTestFileCommand'
        "$problem" | Should -Match 'IoBench never removes such files'
        (Get-ErrorOf { Remove-IoTestFile $file }).FullyQualifiedErrorId | Should -Be $problem.FullyQualifiedErrorId
        $file | Should -Exist
    }

    It 'goes on after a missing one' {
        $file = New-IoTestFile (Join-Path $folder 'a.dat') -FileSize 1MB
        Remove-IoTestFile (Join-Path $folder 'no.dat'), $file.FullName -ErrorAction SilentlyContinue -ErrorVariable problems
        $problems.FullyQualifiedErrorId | Should -Be 'IoBench.FileNotFound,IoBench.PowerShell.RemoveIoTestFileCommand'
        $file.FullName | Should -Not -Exist
    }
}
