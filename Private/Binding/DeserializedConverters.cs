using System.Management.Automation;

namespace IoBench.PowerShell.Binding;

/// <summary>
/// Lets PowerShell turn what a job, remoting, CliXml, JSON or CSV left of an object into the object again, wherever one is asked for; IoBench.Types.ps1xml
/// names these.
/// </summary>
public abstract class DeserializedConverter : PSTypeConverter
{
    /// <inheritdoc/>
    public override bool CanConvertFrom(object sourceValue, Type destinationType) => sourceValue is PSObject;

    /// <inheritdoc/>
    public override bool CanConvertTo(object sourceValue, Type destinationType) => false;

    /// <inheritdoc/>
    public override object ConvertTo(object sourceValue, Type destinationType, IFormatProvider formatProvider, bool ignoreCase) =>
        throw new NotSupportedException();
}

/// <summary>Converts to <see cref="IoTestResult"/>.</summary>
public sealed class ResultConverter : DeserializedConverter
{
    /// <inheritdoc/>
    public override object ConvertFrom(object sourceValue, Type destinationType, IFormatProvider formatProvider, bool ignoreCase) =>
        DeserializedObject.ToResult(sourceValue);
}

/// <summary>Converts to <see cref="IoTestSpecification"/>; of a result it takes the specification it was made by.</summary>
public sealed class SpecificationConverter : DeserializedConverter
{
    /// <inheritdoc/>
    public override bool CanConvertFrom(object sourceValue, Type destinationType) => sourceValue is PSObject or IoTestResult;

    /// <inheritdoc/>
    public override object ConvertFrom(object sourceValue, Type destinationType, IFormatProvider formatProvider, bool ignoreCase) =>
        DeserializedObject.ToSpecification(sourceValue);
}
