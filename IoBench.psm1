# Imports the cmdlets; looks around only where that fails, because each call of .NET from here costs more than a dozen cmdlets.
# Windows PowerShell reads this file too, and stops here with a sentence that helps.
try {
    Import-Module "$PSScriptRoot/Private/IoBench.PowerShell.psd1" -ErrorAction Stop
} catch {
    # PowerShell 7.4 is the first on .NET 8.
    if ([System.Environment]::Version.Major -lt 8) {
        $advice = 'Start pwsh and import the module there. A SQL Agent job uses a CmdExec step with: pwsh -NoProfile -NonInteractive -File job.ps1'
        throw "IoBench needs PowerShell 7.4 or later (pwsh); this is PowerShell $($PSVersionTable.PSVersion). $advice"
    }

    # Types and views can be there once only.
    foreach ($module in Get-Module -Name IoBench) {
        if ($module.ModuleBase -ne $PSScriptRoot) {
            throw "IoBench is imported from $($module.ModuleBase) already, so this copy in $PSScriptRoot is not. Run Remove-Module IoBench first, then import this one."
        }
    }

    if (-not [System.IO.File]::Exists("$PSScriptRoot/lib/IoBench.PowerShell.dll")) {
        throw "IoBench's assemblies are not in $PSScriptRoot/lib: the module is not complete. Install it again, or run 'dotnet build' in a checkout."
    }
    $wanted = [System.Reflection.AssemblyName]::GetAssemblyName("$PSScriptRoot/lib/IoBench.Engine.dll").Version
    foreach ($assembly in [System.AppDomain]::CurrentDomain.GetAssemblies()) {
        if ($assembly.GetName().Name -eq 'IoBench.Engine' -and $assembly.GetName().Version -ne $wanted) {
            throw "IoBench's assemblies in $PSScriptRoot/lib cannot be loaded: another version of IoBench was loaded before ($($assembly.GetName().Version), not $wanted). Start a new pwsh: a process keeps what it has loaded."
        }
    }
    throw
}
