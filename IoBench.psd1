@{
    RootModule = 'IoBench.psm1'
    ModuleVersion = '0.1.0'
    GUID = '5e0c9a7e-6a0b-4a3c-9d0e-3b6f2c1d8a47'
    Author = 'The IoBench authors'
    CompanyName = 'IoBench'
    Copyright = 'Copyright (c) 2026 the IoBench authors. MIT license.'
    Description = 'Measures storage the way SQL Server uses it, reads the results of SQLIO, DiskSpd, fio, and other tools, and turns both into objects, Excel workbooks, and verdicts.'
    # PowerShell 7.4 or later has all cmdlets. Windows PowerShell 5.1 has the functions below, which call the program iobench.
    PowerShellVersion = '5.1'
    CompatiblePSEditions = @('Core', 'Desktop')
    FunctionsToExport = @(
        'Compare-IoResult'
        'Export-IoReport'
        'Import-IoResult'
        'Invoke-IoTest'
        'Test-IoIntegrity'
        'Test-IoResult'
    )
    CmdletsToExport = @(
        'Add-IoHistory'
        'Compare-IoResult'
        'ConvertFrom-IoCommandLine'
        'ConvertTo-IoRow'
        'Export-IoReport'
        'Export-IoResult'
        'Find-IoCap'
        'Find-IoLatency'
        'Find-IoStorage'
        'Get-IoHistory'
        'Get-IoRuleSet'
        'Get-IoWorkload'
        'Import-DiskSpdResult'
        'Import-IoResult'
        'Import-SqlErrorLog'
        'Import-SqlioResult'
        'Invoke-IoFleet'
        'Invoke-IoTest'
        'Measure-IoCommit'
        'Measure-IoLimit'
        'Measure-IoSaturation'
        'New-IoTestFile'
        'New-IoTestSpecification'
        'New-IoWorkload'
        'Receive-IoFleet'
        'Remove-IoSessionModule'
        'Remove-IoTestFile'
        'Test-IoIntegrity'
        'Test-IoResult'
        'Test-IoHost'
        'Watch-IoFailover'
    )
    VariablesToExport = @()
    AliasesToExport = @()
    PrivateData = @{
        PSData = @{
            Tags = @('storage', 'benchmark', 'SQLServer', 'sqlio', 'diskspd', 'IOPS', 'latency', 'Excel', 'DBA', 'PSEdition_Core', 'PSEdition_Desktop', 'Windows', 'Linux')
            LicenseUri = 'https://opensource.org/license/mit'
            ReleaseNotes = 'See CHANGELOG.md.'
        }
    }
}
