# Why the import failed and what to do about it. Windows PowerShell reads this file too, and stops at the first check with a sentence that helps.
[CmdletBinding()]
param(
    # What the import failed with; thrown again where nothing better is known.
    [Parameter(Mandatory)] [System.Management.Automation.ErrorRecord] $Problem
)

# PowerShell 7.4 is the first on .NET 8.
if ([System.Environment]::Version.Major -lt 8) {
    $advice = 'Start pwsh and import the module there. A SQL Agent job uses a CmdExec step with: pwsh -NoProfile -NonInteractive -File job.ps1'
    throw (New-Object System.Management.Automation.ErrorRecord (New-Object System.InvalidOperationException "IoBench requires PowerShell 7.4 or later (pwsh), but this is PowerShell $($PSVersionTable.PSVersion). $advice"), 'IoBench.PowerShellTooOld', 'InvalidOperation', $null)
}

# Each error has an id that scripts can rely on, whatever the sentence says.
function Get-ImportError {
    param([string] $Id, [string] $Message)

    New-Object System.Management.Automation.ErrorRecord (New-Object System.InvalidOperationException $Message), "IoBench.$Id", 'InvalidOperation', $null
}

$root = Split-Path -Path $PSScriptRoot -Parent

# Types and views can be there once only.
foreach ($module in Get-Module -Name IoBench) {
    if ($module.ModuleBase -ne $root) {
        throw (Get-ImportError -Id OtherCopyImported -Message "IoBench is already imported from $($module.ModuleBase), so the copy in $root was not imported. Run Remove-Module IoBench first, and then import this copy.")
    }
}

if (-not [System.IO.File]::Exists("$root/lib/IoBench.PowerShell.dll")) {
    throw (Get-ImportError -Id ModuleIncomplete -Message "The module is incomplete, because its assemblies are not in $root/lib. Install the module again, or run 'dotnet build' in a checkout of the repository.")
}
$wanted = [System.Reflection.AssemblyName]::GetAssemblyName("$root/lib/IoBench.Engine.dll").Version
foreach ($assembly in [System.AppDomain]::CurrentDomain.GetAssemblies()) {
    if ($assembly.GetName().Name -eq 'IoBench.Engine' -and $assembly.GetName().Version -ne $wanted) {
        throw (Get-ImportError -Id OtherVersionLoaded -Message "The assemblies in $root/lib cannot be loaded, because this process has already loaded another version of IoBench ($($assembly.GetName().Version), not $wanted). Start a new pwsh process.")
    }
}
throw $Problem
