# A loader only: the assemblies into the default context, so that [IoBench.Engine.IoSize] works in scripts, then one file a function.

if ($PSVersionTable.PSVersion -lt [version]'7.4') {
    throw ('IoBench needs PowerShell 7.4 or later (pwsh); this is Windows PowerShell {0}. Start pwsh and import the module there. ' -f $PSVersionTable.PSVersion) +
        'A SQL Agent job uses a CmdExec step with: pwsh -NoProfile -NonInteractive -File job.ps1'
}

Set-StrictMode -Version 3.0

if (-not ('IoBench.Loader.Reports' -as [type])) {
    # lib is there in a package; a checkout has what 'dotnet build' left, and the newest of its configurations is meant.
    $assembly = @(
        Get-Item -LiteralPath (Join-Path $PSScriptRoot 'lib' 'IoBench.Loader.dll') -ErrorAction Ignore
        foreach ($configuration in 'release', 'debug') {
            Get-Item -LiteralPath (Join-Path $PSScriptRoot 'artifacts' 'bin' 'IoBench.Loader' $configuration 'IoBench.Loader.dll') -ErrorAction Ignore
        }
    )
    if ($assembly.Count -eq 0) {
        throw "IoBench's assemblies are not in $(Join-Path $PSScriptRoot 'lib'): the module is not complete. Install it again, or run 'dotnet build' in a checkout."
    }
    if ($assembly[0].Directory.Name -ne 'lib') {
        $assembly = @($assembly | Sort-Object -Property LastWriteTimeUtc -Descending)
    }
    foreach ($name in 'IoBench.Engine', 'IoBench.Formats', 'IoBench.Analysis', 'IoBench.Loader') {
        # Asking the default context twice for one file gives the same assembly: runspaces may import at the same time.
        $null = [System.Runtime.Loader.AssemblyLoadContext]::Default.LoadFromAssemblyPath((Join-Path $assembly[0].DirectoryName "$name.dll"))
    }
}

foreach ($folder in 'Private', 'Public') {
    foreach ($file in [System.IO.Directory]::GetFiles((Join-Path $PSScriptRoot $folder), '*.ps1')) {
        . $file
    }
}

Register-IoTypeData
