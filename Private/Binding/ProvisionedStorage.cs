using System.Collections;
using System.Globalization;
using System.Management.Automation;
using System.Runtime.CompilerServices;
using IoBench.Analysis;

namespace IoBench.PowerShell;

/// <summary>Value of -Provisioned. The limits are properties, so that PowerShell completes the keys of a hashtable.</summary>
public sealed class ProvisionedStorage
{
    private readonly object? _value;

    public ProvisionedStorage()
        : this(new Hashtable(StringComparer.OrdinalIgnoreCase)) { }

    /// <summary>PowerShell converts parameter values with this constructor.</summary>
    public ProvisionedStorage(object? value) => _value = value;

    public object? IOPS
    {
        get => GetValue();
        set => SetValue(value);
    }

    /// <summary>Provisioned throughput limit with its unit, such as 200 MB/s.</summary>
    public object? Throughput
    {
        get => GetValue();
        set => SetValue(value);
    }

    /// <summary>IOPS limit while burst credit lasts.</summary>
    public object? BurstIOPS
    {
        get => GetValue();
        set => SetValue(value);
    }

    /// <summary>Throughput limit while burst credit lasts, with its unit.</summary>
    public object? BurstThroughput
    {
        get => GetValue();
        set => SetValue(value);
    }

    /// <summary>Average latency at queue depth 1, in milliseconds.</summary>
    public object? LatencyMs
    {
        get => GetValue();
        set => SetValue(value);
    }

    /// <summary>Returns null if nothing was specified.</summary>
    internal StorageSpecification? ToSpecification() =>
        DeserializedObject.Unwrap(_value) switch
        {
            null => null,
            IDictionary values => StorageSpecification.Parse(values),
            PSCustomObject => StorageSpecification.Parse(DeserializedObject.GetMembers(_value)),
            var text => Convert.ToString(text, CultureInfo.InvariantCulture) is { Length: > 0 } written
                ? StorageSpecification.Parse(written)
                : null,
        };

    private object? GetValue([CallerMemberName] string name = "") => (DeserializedObject.Unwrap(_value) as IDictionary)?[name];

    private void SetValue(object? value, [CallerMemberName] string name = "") =>
        (DeserializedObject.Unwrap(_value) as IDictionary ?? throw new InvalidOperationException($"{_value} is not a table of values."))[
            name
        ] = value;
}
