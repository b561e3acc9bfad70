using System.Collections;
using System.Globalization;
using System.Management.Automation;
using System.Runtime.CompilerServices;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>
/// Value of the parameter Specification: the name of a storage SKU, limits as text, or a hashtable of limits. The limits are properties,
/// because PowerShell completes the keys of a hashtable from the properties of the parameter's type. The cmdlet reports invalid values;
/// parameter binding does not.
/// </summary>
public sealed class BoughtStorage
{
    private readonly object? _given;

    /// <summary>Creates an argument without limits.</summary>
    public BoughtStorage()
        : this(new Hashtable(StringComparer.OrdinalIgnoreCase)) { }

    /// <summary>Creates an argument from a value. PowerShell converts parameter values with this constructor.</summary>
    public BoughtStorage(object? given) => _given = given;

    /// <summary>Provisioned IOPS limit.</summary>
    public object? IOPS
    {
        get => Figure();
        set => Say(value);
    }

    /// <summary>Provisioned throughput limit with its unit, such as 200 MB/s.</summary>
    public object? Throughput
    {
        get => Figure();
        set => Say(value);
    }

    /// <summary>IOPS limit while burst credit lasts.</summary>
    public object? BurstIOPS
    {
        get => Figure();
        set => Say(value);
    }

    /// <summary>Throughput limit while burst credit lasts, with its unit.</summary>
    public object? BurstThroughput
    {
        get => Figure();
        set => Say(value);
    }

    /// <summary>Average latency at queue depth 1, in milliseconds.</summary>
    public object? LatencyMs
    {
        get => Figure();
        set => Say(value);
    }

    /// <summary>Returns null if nothing was specified.</summary>
    /// <exception cref="IoBenchException">The value cannot be parsed.</exception>
    internal StorageSpecification? Read() =>
        DeserializedObject.Unwrap(_given) switch
        {
            null => null,
            IDictionary values => StorageSpecification.Parse(values),
            PSCustomObject => StorageSpecification.Parse(DeserializedObject.Members(_given)),
            var text => Convert.ToString(text, CultureInfo.InvariantCulture) is { Length: > 0 } written
                ? StorageSpecification.Parse(written)
                : null,
        };

    private object? Figure([CallerMemberName] string name = "") => (DeserializedObject.Unwrap(_given) as IDictionary)?[name];

    private void Say(object? value, [CallerMemberName] string name = "") =>
        (DeserializedObject.Unwrap(_given) as IDictionary ?? throw new InvalidOperationException($"{_given} is no table of figures."))[
            name
        ] = value;
}
