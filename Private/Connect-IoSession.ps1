function Connect-IoSession {
    <#
        The hosts of sessions with this very build of the module loaded: it is copied where it is not installed. A host that cannot run it is an error and left out.
        Goes through PowerShell remoting alone: whatever opened the session (SSH, WinRM) carries the module too.
    #>
    [CmdletBinding()]
    [OutputType([pscustomobject])]
    param(
        [Parameter(Mandatory)]
        [System.Management.Automation.Runspaces.PSSession[]] $Session,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $activity = 'IoBench: looking for the module'
    $unique = @($Session | Sort-Object -Property InstanceId -Unique | Sort-Object -Property Id)
    $machines = foreach ($item in $unique) {
        $alike = $unique.Where({ $_.ComputerName -eq $item.ComputerName }).Count -gt 1
        [pscustomobject]@{
            Name = $alike ? "$($item.ComputerName) ($($item.Name))" : $item.ComputerName
            Session = $item
            ComputerName = $item.ComputerName
            Folder = $null
            Alive = $true
            Failed = $false
            # Numbers of the tests it has to run, and of those whose files are ready.
            Tests = [System.Collections.Generic.HashSet[int]]::new()
            Ready = [System.Collections.Generic.HashSet[int]]::new()
        }
    }
    $archive = New-IoModuleArchive

    # What runs before the versions are known must be understood by Windows PowerShell too.
    $look = @'
param($Key, $Version, $Build)
$found = @{ ComputerName = [Environment]::MachineName; PowerShell = [string]$PSVersionTable.PSVersion; Loaded = $null; Folder = $null; IsThere = $false }
if ($PSVersionTable.PSVersion -ge [version]'7.4') {
    $type = 'IoBench.Engine.IoSize' -as [type]
    if ($type) { $found.Loaded = [string]$type.Module.ModuleVersionId }
    foreach ($module in @(Get-Module IoBench) + @(Get-Module IoBench -ListAvailable)) {
        if ([string]$module.Version -ne $Version -or $found.IsThere) { continue }
        $engine = [IO.Path]::Combine($module.ModuleBase, 'lib', 'IoBench.Engine.dll')
        if ([IO.File]::Exists($engine)) {
            $stream = [IO.File]::OpenRead($engine)
            $reader = [Reflection.PortableExecutable.PEReader]::new($stream)
            $metadata = [Reflection.Metadata.PEReaderExtensions]::GetMetadataReader($reader)
            if ([string]$metadata.GetGuid($metadata.GetModuleDefinition().Mvid) -eq $Build) { $found.Folder = $module.ModuleBase; $found.IsThere = $true }
            $reader.Dispose()
        }
    }
    if (-not $found.IsThere) {
        $base = [Environment]::GetFolderPath('LocalApplicationData', 'Create')
        if (-not $base) { $base = [IO.Path]::GetTempPath() }
        $found.Folder = [IO.Path]::Combine($base, 'IoBench', 'module', $Key)
        $found.IsThere = [IO.File]::Exists([IO.Path]::Combine($found.Folder, 'IoBench.psd1'))
    }
}
$found
'@
    $missing = [System.Collections.Generic.List[object]]::new()
    $call = @{ Machine = @($machines); Script = $look; Activity = $activity; Cmdlet = $Cmdlet; Argument = { @{ Key = $archive.Key; Version = $archive.Version; Build = $archive.Build } } }
    Invoke-IoSessionCommand @call | ForEach-Object {
        $machine = $_.Machine
        $found = $_.Value
        $machine.ComputerName = $found.ComputerName
        $machine.Folder = $found.Folder
        $problem = $null
        if ([version]($found.PowerShell -replace '[-+].*$') -lt [version]'7.4') {
            $problem = 'IoBench.SessionTooOld', "$($machine.Name) answers with PowerShell $($found.PowerShell), and IoBench needs 7.4. Open the session with New-PSSession -HostName (SSH), or with -ConfigurationName PowerShell.7 where Enable-PSRemoting was run in pwsh."
        } elseif ($found.Loaded -and $found.Loaded -ne $archive.Build) {
            $problem = 'IoBench.SessionHasOther', "$($machine.Name) has another build of IoBench loaded in this session, and a process cannot change it. Open a new session."
        }
        if ($problem) {
            $machine.Failed = $true
            $Cmdlet.WriteError((New-IoError -ErrorId $problem[0] -Kind Usage -Message $problem[1] -TargetObject $machine.Session))
        } elseif ($found.IsThere) {
            $Cmdlet.WriteVerbose("$($machine.Name): the module is in $($machine.Folder)")
        } else {
            $missing.Add($machine)
        }
    }

    # Unpacked beside its place and then moved there: two sessions of one host may do this at once, and half a module is never found.
    $unpack = @'
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
'@
    if ($missing.Count -gt 0) {
        foreach ($machine in $missing) { $Cmdlet.WriteVerbose("$($machine.Name): copying the module to $($machine.Folder)") }
        $call = @{ Machine = $missing.ToArray(); Script = $unpack; Activity = 'IoBench: copying the module'; Cmdlet = $Cmdlet; Argument = { @{ Folder = $args[0].Folder; Bytes = $archive.Bytes } } }
        Invoke-IoSessionCommand @call
    }

    $import = 'param($Folder) $ErrorActionPreference = "Stop"; $global:ProgressPreference = "Continue"; Import-Module ([IO.Path]::Combine($Folder, "IoBench.psd1")); & (Get-Module IoBench) { Initialize-IoFunction }'
    $call = @{ Machine = @($machines | Where-Object { $_.Alive -and -not $_.Failed }); Script = $import; Activity = $activity; Cmdlet = $Cmdlet; Argument = { @{ Folder = $args[0].Folder } } }
    Invoke-IoSessionCommand @call
    Write-Progress -Id 7359 -Activity $activity -Completed
    $machines | Where-Object { $_.Alive -and -not $_.Failed }
}
