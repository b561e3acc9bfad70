@{
    # Only reads the type file, after the assemblies it names have been loaded by IoBench.psm1.
    ModuleVersion = '0.1.0'
    GUID = '0d3a4f6e-97d5-4b8a-8a3e-2f5c7c1b9e61'
    Author = 'The IoBench authors'
    PowerShellVersion = '7.4'
    CompatiblePSEditions = @('Core')
    TypesToProcess = @('../IoBench.Types.ps1xml')
    FunctionsToExport = @()
    CmdletsToExport = @()
    VariablesToExport = @()
    AliasesToExport = @()
}
