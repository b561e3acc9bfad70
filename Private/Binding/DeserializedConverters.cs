using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>
/// Converts deserialized objects (from jobs, remoting, CliXml, JSON, or CSV) to IoBench types if a parameter requires one.
/// IoBench.Types.ps1xml names the derived classes.
/// </summary>
public abstract class DeserializedConverter : PSTypeConverter
{
    public override bool CanConvertFrom(object sourceValue, Type destinationType) => sourceValue is PSObject;

    public override bool CanConvertTo(object sourceValue, Type destinationType) => false;

    public override object ConvertTo(object sourceValue, Type destinationType, IFormatProvider formatProvider, bool ignoreCase) =>
        throw new NotSupportedException();
}

public sealed class ResultConverter : DeserializedConverter
{
    public override object ConvertFrom(object sourceValue, Type destinationType, IFormatProvider formatProvider, bool ignoreCase) =>
        DeserializedObject.ToResult(sourceValue);
}

public sealed class SpecificationConverter : DeserializedConverter
{
    public override bool CanConvertFrom(object sourceValue, Type destinationType) => sourceValue is PSObject or IoTestResult;

    public override object ConvertFrom(object sourceValue, Type destinationType, IFormatProvider formatProvider, bool ignoreCase) =>
        DeserializedObject.ToSpecification(sourceValue);
}
