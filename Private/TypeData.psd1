@{
    # Only reads the files of types and views, after the assemblies they name were loaded by IoBench.psm1: PowerShell looks each of their names up as it
    # reads them, and for a name that is not there yet it searches everything loaded, again and again.
    ModuleVersion = '0.1.0'
    GUID = '0d3a4f6e-97d5-4b8a-8a3e-2f5c7c1b9e61'
    Author = 'The IoBench authors'
    PowerShellVersion = '7.4'
    CompatiblePSEditions = @('Core')
    TypesToProcess = @('../IoBench.Types.ps1xml')
    FormatsToProcess = @('../IoBench.Format.ps1xml')
    FunctionsToExport = @()
    CmdletsToExport = @()
    VariablesToExport = @()
    AliasesToExport = @()
}
