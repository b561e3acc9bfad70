@{
    # What IoBench.psm1 imports once it has looked around: the assemblies first, because types and views name what is in them.
    RootModule = '../lib/IoBench.PowerShell.dll'
    ModuleVersion = '0.1.0'
    GUID = '0d3a4f6e-97d5-4b8a-8a3e-2f5c7c1b9e61'
    Author = 'The IoBench authors'
    RequiredAssemblies = @(
        '../lib/IoBench.Engine.dll', '../lib/IoBench.Workloads.dll', '../lib/IoBench.Formats.dll', '../lib/IoBench.Analysis.dll', '../lib/IoBench.Reports.dll', '../lib/IoBench.Application.dll'
        '../lib/IoBench.PowerShell.dll'
    )
    TypesToProcess = @('../IoBench.Types.ps1xml')
    FormatsToProcess = @('../IoBench.Format.ps1xml')
    FunctionsToExport = @()
    CmdletsToExport = @('*')
    VariablesToExport = @()
    AliasesToExport = @()
}
