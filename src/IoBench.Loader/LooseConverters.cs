using System.ComponentModel;
using System.Globalization;
using IoBench.Engine;

namespace IoBench.Loader;

/// <summary>
/// Lets PowerShell turn what a job, remoting, CliXml, JSON or CSV left of an object into the object again, wherever one is
/// asked for. The module registers these with Update-TypeData; PowerShell calls them with its own PSObject.
/// </summary>
public abstract class LooseConverter : TypeConverter
{
    /// <inheritdoc/>
    public override bool CanConvertFrom(ITypeDescriptorContext? context, Type sourceType)
        => sourceType?.FullName == "System.Management.Automation.PSObject";

    /// <inheritdoc/>
    public override bool CanConvertTo(ITypeDescriptorContext? context, Type? destinationType) => false;
}

/// <summary>Converts to <see cref="IoTestResult"/>.</summary>
public sealed class ResultConverter : LooseConverter
{
    /// <inheritdoc/>
    public override object ConvertFrom(ITypeDescriptorContext? context, CultureInfo? culture, object value) => LooseObject.ToResult(value);
}

/// <summary>Converts to <see cref="IoTestSpecification"/>; of a result it takes the specification it was made by.</summary>
public sealed class SpecificationConverter : LooseConverter
{
    /// <inheritdoc/>
    public override bool CanConvertFrom(ITypeDescriptorContext? context, Type sourceType)
        => sourceType == typeof(IoTestResult) || base.CanConvertFrom(context, sourceType);

    /// <inheritdoc/>
    public override object ConvertFrom(ITypeDescriptorContext? context, CultureInfo? culture, object value) => LooseObject.ToSpecification(value);
}
