BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'New-IoTestFile' {
    BeforeEach {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive ([guid]::NewGuid()))).FullName
    }

    It 'makes a file of the size, and iobench.dat in a folder, also several' {
        $file = New-IoTestFile (Join-Path $folder 'a.dat') -FileSize 4MB
        $file | Should -BeOfType System.IO.FileInfo
        $file.Length | Should -Be 4MB
        (New-IoTestFile $folder -FileSize 1MB).Name | Should -Be 'iobench.dat'
        ('x.dat', 'y.dat' | ForEach-Object { Join-Path $folder $_ } | New-IoTestFile -FileSize 1MB).Count | Should -Be 2
    }

    It 'gives the file as Get-Item does, with its size and mode' {
        $file = Join-Path $folder 'a[1].dat'
        $made = New-IoTestFile -LiteralPath $file -FileSize 1MB
        ($made | Out-String) | Should -Be (Get-Item -LiteralPath $file | Out-String)
        $made | Out-String | Should -Match '1048576'
        $made.PSPath | Should -Be (Get-Item -LiteralPath $file).PSPath
    }

    It 'takes names and sizes from a table' {
        $rows = [pscustomobject]@{ Path = (Join-Path $folder 'a.dat'); FileSize = '1MB' }, [pscustomobject]@{ Path = (Join-Path $folder 'b.dat'); FileSize = '2M' }
        ($rows | New-IoTestFile).ForEach({ $_.Length }) | Should -Be 1MB, 2MB
    }

    It 'takes a name with brackets as it is with -LiteralPath' {
        $file = Join-Path $folder 'a[1].dat'
        (New-IoTestFile -LiteralPath $file -FileSize 1MB).FullName | Should -Be $file
        (Get-Item -LiteralPath $file | New-IoTestFile -FileSize 2MB).Length | Should -Be 2MB
    }

    It 'makes a file longer and never shorter' {
        $file = Join-Path $folder 'a.dat'
        $null = New-IoTestFile $file -FileSize 2MB
        (New-IoTestFile $file -FileSize 4MB).Length | Should -Be 4MB
        (New-IoTestFile $file -FileSize 1MB).Length | Should -Be 4MB
    }

    It 'touches nothing with -WhatIf' {
        New-IoTestFile (Join-Path $folder 'a.dat') -FileSize 1MB -WhatIf | Should -BeNullOrEmpty
        Get-ChildItem $folder -Force | Should -BeNullOrEmpty
    }

    It 'makes none over somebody else''s file and goes on with the next' {
        $file = Join-Path $folder 'theirs.dat'
        Set-Content $file 'precious'
        $made = New-IoTestFile $file, (Join-Path $folder 'ours.dat') -FileSize 1MB -ErrorAction SilentlyContinue -ErrorVariable problems
        $made.Name | Should -Be 'ours.dat'
        $problems.FullyQualifiedErrorId | Should -Be 'IoBench.ForeignFile,IoBench.PowerShell.NewIoTestFileCommand'
        $problems[0].TargetObject | Should -Be $file
        Get-Content $file | Should -Be 'precious'
    }

    It 'reports its progress where there is a host for it' {
        $shell = [powershell]::Create()
        $null = $shell.AddScript("Import-Module '$repository/IoBench.psd1'; `$ProgressPreference = 'Continue'; New-IoTestFile '$folder/p.dat' -FileSize 512MB").Invoke()
        $shell.Streams.Progress.Where({ $_.StatusDescription -match 'p\.dat   .* of 512 MB   .*MiB/s' }).Count | Should -BeGreaterThan 0
        $shell.Streams.Progress[-1].RecordType | Should -Be 'Completed'
        $shell.Dispose()
        Remove-IoTestFile "$folder/p.dat"
    }

    It 'fills the file with what does not compress' {
        $file = New-IoTestFile (Join-Path $folder 'a.dat') -FileSize 1MB
        $packed = [System.IO.MemoryStream]::new()
        $stream = [System.IO.Compression.DeflateStream]::new($packed, [System.IO.Compression.CompressionLevel]::Fastest, $true)
        $bytes = [System.IO.File]::ReadAllBytes($file.FullName)
        $stream.Write($bytes, 0, $bytes.Length)
        $stream.Dispose()
        $packed.Length | Should -BeGreaterThan (0.95 * 1MB)
    }

    It 'refuses a name of SQL Server''s' {
        (Get-ErrorOf { New-IoTestFile (Join-Path $folder 'data.mdf') -FileSize 1MB }).FullyQualifiedErrorId | Should -Be 'IoBench.SqlServerFile,IoBench.PowerShell.NewIoTestFileCommand'
        Get-ChildItem $folder -Force | Should -BeNullOrEmpty
    }

    It 'leaves nothing of a file when stopped' {
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

    It 'takes the size of a row where none is given, and says what is no setting' {
        $rows = [pscustomobject]@{ PhysicalName = (Join-Path $folder 'a.dat') }, [pscustomobject]@{ Path = (Join-Path $folder 'b.dat'); FileSize = '2MB'; BlockSize = '64KB'; Label = 'x' }, @{ Path = (Join-Path $folder 'c.dat'); FileSize = '' }
        ($rows | New-IoTestFile -FileSize 1MB -WarningVariable said -WarningAction SilentlyContinue).ForEach({ $_.Length }) | Should -Be 1MB, 1MB, 1MB
        ($rows[1] | New-IoTestFile).Length | Should -Be 2MB
        $said | Should -BeNullOrEmpty
        [pscustomobject]@{ Path = (Join-Path $folder 'd.dat'); FilSize = '1GB' } | New-IoTestFile -WhatIf -WarningVariable said -WarningAction SilentlyContinue
        "$said" | Should -BeLike 'IoBench ignores FilSize, because a test has no setting with this name. Did you mean FileSize?*'
        (Get-ErrorOf { [pscustomobject]@{ Path = (Join-Path $folder 'e.dat'); FileSize = '1MB,2MB' } | New-IoTestFile }).FullyQualifiedErrorId | Should -Be "IoBench.OneValue,$(Get-ErrorSource New-IoTestFile)"
    }

    It 'makes the file of a test' {
        $file = Join-Path $folder 'test.dat'
        (New-IoTestSpecification $file -FileSize 2MB | New-IoTestFile).Length | Should -Be 2MB
    }
}
