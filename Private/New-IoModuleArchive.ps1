function New-IoModuleArchive {
    <# The module as a zip file in memory, and a key that tells it from every other build of it. #>
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'Makes an object and changes nothing.')]
    [OutputType([hashtable])]
    param()

    $files = Get-IoModuleFile
    $memory = [System.IO.MemoryStream]::new()
    $archive = [System.IO.Compression.ZipArchive]::new($memory, [System.IO.Compression.ZipArchiveMode]::Create, $true)
    $hash = [System.Security.Cryptography.IncrementalHash]::CreateHash([System.Security.Cryptography.HashAlgorithmName]::SHA256)
    foreach ($name in $files.Keys | Sort-Object) {
        $bytes = [System.IO.File]::ReadAllBytes($files[$name])
        $hash.AppendData([System.Text.Encoding]::UTF8.GetBytes($name))
        $hash.AppendData($bytes)
        $entry = $archive.CreateEntry($name).Open()
        $entry.Write($bytes, 0, $bytes.Length)
        $entry.Dispose()
    }
    $archive.Dispose()
    @{
        Version = [string]$ExecutionContext.SessionState.Module.Version
        Key = "$($ExecutionContext.SessionState.Module.Version)-$([System.Convert]::ToHexString($hash.GetHashAndReset()).Substring(0, 16).ToLowerInvariant())"
        Build = [string][IoBench.Engine.IoSize].Module.ModuleVersionId
        Bytes = $memory.ToArray()
    }
}
