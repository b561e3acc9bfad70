BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'The module that -Session copies' {
    It 'goes as one archive whose key changes with any file' {
        $archive = [IoBench.PowerShell.ModuleArchive]::Create()
        $archive.Key | Should -Match '^0\.1\.0-[0-9a-f]{16}$'
        $zip = [System.IO.Compression.ZipArchive]::new([System.IO.MemoryStream]::new($archive.Bytes))
        $names = $zip.Entries.FullName
        $zip.Dispose()
        foreach ($name in 'IoBench.psd1', 'IoBench.psm1', 'IoBench.Types.ps1xml', 'IoBench.Format.ps1xml', 'Private/IoBench.PowerShell.psd1', 'Private/IoBench.ImportAdvice.ps1', 'Private/IoBench.WindowsPowerShell.ps1', 'lib/IoBench.Engine.dll', 'lib/IoBench.PowerShell.dll') { $names | Should -Contain $name }
        [IoBench.PowerShell.ModuleArchive]::Create().Key | Should -Be $archive.Key
    }
}
