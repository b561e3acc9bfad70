using System.Collections;
using System.Globalization;
using System.Management.Automation;
using System.Runtime.CompilerServices;

namespace IoBench.PowerShell.Binding;

/// <summary>
/// What was bought, as a parameter takes it: the name of an offer, figures as text, or a hashtable of them. The figures are properties, since PowerShell completes the keys of a
/// hashtable by those of the parameter's type. What cannot be read is an error of the cmdlet, not of the binding.
/// </summary>
public sealed class BoughtStorage
{
    private readonly object? _given;

    /// <summary>No figure yet.</summary>
    public BoughtStorage()
        : this(new Hashtable(StringComparer.OrdinalIgnoreCase)) { }

    /// <summary>What was given; PowerShell converts by it.</summary>
    public BoughtStorage(object? given) => _given = given;

    /// <summary>I/Os per second.</summary>
    public object? IOPS
    {
        get => Figure();
        set => Say(value);
    }

    /// <summary>Bytes per second, with the unit: 200 MB/s.</summary>
    public object? Throughput
    {
        get => Figure();
        set => Say(value);
    }

    /// <summary>I/Os per second while burst credit lasts.</summary>
    public object? BurstIOPS
    {
        get => Figure();
        set => Say(value);
    }

    /// <summary>Bytes per second while burst credit lasts, with the unit.</summary>
    public object? BurstThroughput
    {
        get => Figure();
        set => Say(value);
    }

    /// <summary>Average latency of one I/O at a time in milliseconds.</summary>
    public object? LatencyMs
    {
        get => Figure();
        set => Say(value);
    }

    /// <summary>The specification; null where nothing was given.</summary>
    /// <exception cref="IoBenchException">It cannot be read.</exception>
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
