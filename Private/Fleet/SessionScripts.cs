namespace IoBench.PowerShell;

/// <summary>Scripts for hosts. <see cref="FindModule"/> must also run in Windows PowerShell, because it finds the version.</summary>
internal static class SessionScripts
{
    /// <summary>Returns PowerShell's version, whether another build is loaded, and the folder in which the module is or will be.</summary>
    public const string FindModule = """
        param($Key, $Version, $Builds)
        $found = @{ ComputerName = [Environment]::MachineName; PowerShell = [string]$PSVersionTable.PSVersion }
        $found += @{ HasOther = $false; Folder = $null; IsThere = $false }
        if ($PSVersionTable.PSVersion -ge [version]'7.4') {
            foreach ($assembly in [AppDomain]::CurrentDomain.GetAssemblies()) {
                $name = $assembly.GetName().Name
                $build = [string]$assembly.ManifestModule.ModuleVersionId
                if ($Builds.ContainsKey($name) -and $build -ne $Builds[$name]) { $found.HasOther = $true }
            }
            foreach ($module in @(Get-Module IoBench) + @(Get-Module IoBench -ListAvailable)) {
                if ([string]$module.Version -ne $Version -or $found.IsThere) { continue }
                $isSame = $true
                foreach ($name in $Builds.Keys) {
                    $file = [IO.Path]::Combine($module.ModuleBase, 'lib', "$name.dll")
                    if (-not [IO.File]::Exists($file)) { $isSame = $false; break }
                    $reader = [Reflection.PortableExecutable.PEReader]::new([IO.File]::OpenRead($file))
                    $metadata = [Reflection.Metadata.PEReaderExtensions]::GetMetadataReader($reader)
                    if ([string]$metadata.GetGuid($metadata.GetModuleDefinition().Mvid) -ne $Builds[$name]) { $isSame = $false }
                    $reader.Dispose()
                }
                if ($isSame) { $found.Folder = $module.ModuleBase; $found.IsThere = $true }
            }
            if (-not $found.IsThere) {
                $base = [Environment]::GetFolderPath('LocalApplicationData', 'Create')
                if (-not $base) { $base = [IO.Path]::GetTempPath() }
                $found.Folder = [IO.Path]::Combine($base, 'IoBench', 'module', $Key)
                $found.IsThere = [IO.File]::Exists([IO.Path]::Combine($found.Folder, 'IoBench.psd1'))
            }
        }
        $found
        """;

    /// <summary>Unpacks to another folder and renames it, because two sessions of one host can unpack at the same time.</summary>
    public const string UnpackModule = """
        param([string] $Folder, [byte[]] $Bytes)
        $ErrorActionPreference = 'Stop'
        if (-not [IO.File]::Exists([IO.Path]::Combine($Folder, 'IoBench.psd1'))) {
            $staging = $Folder + '.' + [guid]::NewGuid().ToString('N')
            $null = [IO.Directory]::CreateDirectory($staging)
            $stream = [IO.MemoryStream]::new($Bytes)
            [IO.Compression.ZipFileExtensions]::ExtractToDirectory([IO.Compression.ZipArchive]::new($stream), $staging)
            try { [IO.Directory]::Move($staging, $Folder) } catch {
                [IO.Directory]::Delete($staging, $true)
                if (-not [IO.File]::Exists([IO.Path]::Combine($Folder, 'IoBench.psd1'))) { throw }
            }
        }
        """;

    public const string ImportModule =
        """param($Folder) $ErrorActionPreference = 'Stop'; Import-Module ([IO.Path]::Combine($Folder, 'IoBench.psd1'))""";

    public const string RunFleetMember = """
        param($Group, $Member, $Plan, $Suite, $Source)
        begin { $call = [IoBench.PowerShell.RemoteFleetMember]::Begin($Group, $Member, $Plan, $Suite, $ExecutionContext.Events, $Source) }
        process { $call.AddCommand($_) }
        end { $call.End() }
        clean { if ($call) { $call.Dispose() } }
        """;

    /// <summary>Copies are in the folder for local application data or, if the user has none, in the temporary folder.</summary>
    public const string FindCopies = """
        foreach ($base in @([Environment]::GetFolderPath('LocalApplicationData'), [IO.Path]::GetTempPath())) {
            if (-not $base) { continue }
            $place = [IO.Path]::Combine($base, 'IoBench', 'module')
            if ([IO.Directory]::Exists($place)) { foreach ($folder in [IO.Directory]::GetDirectories($place)) { $folder } }
        }
        """;

    /// <summary>Also removes empty parent folders. Returns each folder with the problem that prevented its removal, or no text.</summary>
    public const string RemoveCopies = """
        param([string[]] $Folders)
        foreach ($folder in $Folders) {
            $problem = ''
            # Windows deletes no assembly that is loaded.
            $loaded = @([AppDomain]::CurrentDomain.GetAssemblies() |
                Where-Object { -not $_.IsDynamic -and $_.Location.StartsWith($folder + '\', 'OrdinalIgnoreCase') })
            if ([IO.Path]::DirectorySeparatorChar -eq '\' -and $loaded.Count -gt 0) {
                $problem = 'loaded'
            } else {
                if (Get-Module IoBench | Where-Object { $_.ModuleBase -eq $folder }) { Remove-Module IoBench }
                # Another session of this host can remove the same folder. Then one of the two gets errors, and the folder is gone for both.
                foreach ($attempt in 1..20) {
                    $problem = ''
                    try { [IO.Directory]::Delete($folder, $true) } catch { $problem = $_.Exception.GetBaseException().Message }
                    if (-not [IO.Directory]::Exists($folder)) { $problem = ''; break }
                    Start-Sleep -Milliseconds 50
                }
            }
            @{ Folder = $folder; Problem = $problem }
            foreach ($place in [IO.Path]::GetDirectoryName($folder), [IO.Path]::GetDirectoryName([IO.Path]::GetDirectoryName($folder))) {
                # Another session can remove the folder, or copy into it, at any time. Only an empty folder that still exists is a problem.
                try {
                    if ([IO.Directory]::Exists($place) -and @([IO.Directory]::GetFileSystemEntries($place)).Count -eq 0) {
                        [IO.Directory]::Delete($place)
                    }
                } catch {
                    if ([IO.Directory]::Exists($place) -and -not (Get-ChildItem -LiteralPath $place -Force -ErrorAction Ignore)) {
                        @{ Folder = $place; Problem = $_.Exception.GetBaseException().Message }
                    }
                }
            }
        }
        """;
}
