# A loader only: the assemblies into the default context, so that [IoBench.Engine.IoSize] works in scripts, then one file a function.
# .NET methods in place of cmdlets here: the first cmdlet of Utility or Management costs a script 0.15 s.

if ($PSVersionTable.PSVersion -lt [version]'7.4') {
    $advice = 'Start pwsh and import the module there. A SQL Agent job uses a CmdExec step with: pwsh -NoProfile -NonInteractive -File job.ps1'
    throw "IoBench needs PowerShell 7.4 or later (pwsh); this is PowerShell $($PSVersionTable.PSVersion). $advice"
}

Set-StrictMode -Version 3.0

if (-not ('IoBench.Loader.LooseObject' -as [type])) {
    # A package has lib; a checkout has what 'dotnet build' left, and the newest of its configurations is meant.
    $folder = [System.IO.Path]::Combine($PSScriptRoot, 'lib')
    if (-not [System.IO.File]::Exists([System.IO.Path]::Combine($folder, 'IoBench.Loader.dll'))) {
        $newest = [datetime]::MinValue
        foreach ($configuration in 'release', 'debug') {
            $built = [System.IO.FileInfo]::new([System.IO.Path]::Combine($PSScriptRoot, 'artifacts', 'bin', 'IoBench.Loader', $configuration, 'IoBench.Loader.dll'))
            if ($built.Exists -and $built.LastWriteTimeUtc -gt $newest) {
                $newest = $built.LastWriteTimeUtc
                $folder = $built.DirectoryName
            }
        }
        if ($newest -eq [datetime]::MinValue) {
            throw "IoBench's assemblies are not in ${folder}: the module is not complete. Install it again, or run 'dotnet build' in a checkout."
        }
    }
    foreach ($name in 'IoBench.Engine', 'IoBench.Formats', 'IoBench.Analysis', 'IoBench.Reports', 'IoBench.Loader') {
        # Asking the default context twice for one file gives the same assembly: runspaces may import at the same time.
        $null = [System.Runtime.Loader.AssemblyLoadContext]::Default.LoadFromAssemblyPath([System.IO.Path]::Combine($folder, "$name.dll"))
    }
}

# A package has them all in one file: each file of its own costs a script about 3 ms.
$functions = [System.IO.Path]::Combine($PSScriptRoot, 'IoBench.Functions.ps1')
if ([System.IO.File]::Exists($functions)) {
    . $functions
} else {
    foreach ($folder in 'Private', 'Public') {
        foreach ($file in [System.IO.Directory]::GetFiles([System.IO.Path]::Combine($PSScriptRoot, $folder), '*.ps1')) {
            . $file
        }
    }
}

# IoBench.Types.ps1xml names types of the assemblies, so it can only be read now and not by the module's own manifest.
Import-Module ([System.IO.Path]::Combine($PSScriptRoot, 'Private', 'TypeData.psd1'))
Register-IoCompleter
