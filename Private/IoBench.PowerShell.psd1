@{
    # What IoBench.psm1 imports: the assemblies first, because types and views name what is in them.
    RootModule = '../lib/IoBench.PowerShell.dll'
    ModuleVersion = '0.1.0'
    PowerShellVersion = '7.4'
    GUID = '0d3a4f6e-97d5-4b8a-8a3e-2f5c7c1b9e61'
    Author = 'The IoBench authors'
    # The others are loaded when a cmdlet needs them: each costs every import milliseconds.
    RequiredAssemblies = @('../lib/IoBench.Engine.dll', '../lib/IoBench.PowerShell.dll')
    TypesToProcess = @('../IoBench.Types.ps1xml')
    FormatsToProcess = @('../IoBench.Format.ps1xml')
    FunctionsToExport = @()
    CmdletsToExport = @('*')
    VariablesToExport = @()
    AliasesToExport = @()
}
