# A loader only: the assemblies into the default context, so that [IoBench.Engine.IoSize] works in scripts, then the functions.
# .NET methods in place of cmdlets here: the first cmdlet of Utility or Management costs a script 0.15 s. And few of them: each call that is written
# here costs 1 to 3 ms where it is run first, and a type's name that is not found, or converted to a type, 15 ms.

# PowerShell 7.4 is the first on .NET 8.
if ([System.Environment]::Version.Major -lt 8) {
    $advice = 'Start pwsh and import the module there. A SQL Agent job uses a CmdExec step with: pwsh -NoProfile -NonInteractive -File job.ps1'
    throw "IoBench needs PowerShell 7.4 or later (pwsh); this is PowerShell $($PSVersionTable.PSVersion). $advice"
}

Set-StrictMode -Version 3.0

if ([System.IO.File]::Exists("$PSScriptRoot/IoBench.Functions.ps1")) {
    # A package, whose manifest names assemblies, types and views: PowerShell has read them. It has one file of its commands, which is read now, and one of
    # the rest for Initialize-IoFunction: reading takes longer than all else here.
    $script:unreadFunctions = "$PSScriptRoot/IoBench.Private.ps1"
    . "$PSScriptRoot/IoBench.Functions.ps1"
} else {
    # What was copied to another machine has lib; a checkout has what 'dotnet build' left, and the newest of its configurations is meant.
    $folder = "$PSScriptRoot/lib"
    if (-not [System.IO.File]::Exists("$folder/IoBench.Loader.dll")) {
        $newest = [datetime]::MinValue
        foreach ($configuration in 'release', 'debug') {
            $built = [System.IO.FileInfo]::new("$PSScriptRoot/artifacts/bin/IoBench.Loader/$configuration/IoBench.Loader.dll")
            if ($built.Exists -and $built.LastWriteTimeUtc -gt $newest) {
                $newest = $built.LastWriteTimeUtc
                $folder = $built.DirectoryName
            }
        }
        if ($newest -eq [datetime]::MinValue) {
            throw "IoBench's assemblies are not in ${folder}: the module is not complete. Install it again, or run 'dotnet build' in a checkout."
        }
    }
    try {
        foreach ($name in 'IoBench.Engine', 'IoBench.Formats', 'IoBench.Analysis', 'IoBench.Reports', 'IoBench.Loader') {
            # Asking the default context twice for one file gives the same assembly: runspaces may import at the same time.
            $null = [System.Runtime.Loader.AssemblyLoadContext]::Default.LoadFromAssemblyPath("$folder/$name.dll")
        }
    } catch {
        # A process keeps what it has loaded: another build of the same version will do, such as a checkout's from before it was built again.
        $identity = [System.Reflection.AssemblyName]::GetAssemblyName("$folder/IoBench.Loader.dll").FullName
        if (-not [type]::GetType("IoBench.Loader.LooseObject, $identity")) {
            throw "IoBench's assemblies in $folder cannot be loaded: $($_.Exception.GetBaseException().Message.TrimEnd('.')). Where another version of IoBench was loaded before, start a new pwsh: a process keeps what it has loaded."
        }
    }

    $script:unreadFunctions = $null
    foreach ($folder in 'Private', 'Public') {
        foreach ($file in [System.IO.Directory]::GetFiles("$PSScriptRoot/$folder", '*.ps1')) {
            . $file
        }
    }

    # Types and views name types of the assemblies, so they can only be read now and not by the module's own manifest.
    Import-Module "$PSScriptRoot/Private/TypeData.psd1"
}

Register-IoCompleter
