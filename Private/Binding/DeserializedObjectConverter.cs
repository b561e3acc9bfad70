using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>
/// Converts deserialized objects (from jobs, remoting, CliXml, JSON, or CSV) if a parameter requires a result or a specification.
/// IoBench.Types.ps1xml names this class for both types.
/// </summary>
public sealed class DeserializedObjectConverter : PSTypeConverter
{
    public override bool CanConvertFrom(object sourceValue, Type destinationType) =>
        sourceValue is PSObject || (sourceValue is IoTestResult && destinationType == typeof(IoTestSpecification));

    public override object ConvertFrom(object sourceValue, Type destinationType, IFormatProvider formatProvider, bool ignoreCase) =>
        destinationType == typeof(IoTestSpecification)
            ? DeserializedObject.ToSpecification(sourceValue)
            : DeserializedObject.ToResult(sourceValue);

    public override bool CanConvertTo(object sourceValue, Type destinationType) => false;

    public override object ConvertTo(object sourceValue, Type destinationType, IFormatProvider formatProvider, bool ignoreCase) =>
        throw new NotSupportedException();
}
