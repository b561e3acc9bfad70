function Register-IoTypeData {
    <#
        Tells PowerShell how IoBench's objects come back from jobs, remoting and CliXml: as what they were.
        Here and not in IoBench.Types.ps1xml, because that file is read before the assemblies are loaded.
    #>
    [CmdletBinding()]
    param()

    $converters = @{
        'IoBench.Engine.IoTestResult' = [IoBench.Loader.ResultConverter]
        'IoBench.Engine.IoTestSpecification' = [IoBench.Loader.SpecificationConverter]
    }
    foreach ($name in $converters.Keys) {
        Update-TypeData -TypeName $name -TypeConverter $converters[$name] -Force
        Update-TypeData -TypeName "Deserialized.$name" -TargetTypeForDeserialization ($name -as [type]) -Force
    }
}
