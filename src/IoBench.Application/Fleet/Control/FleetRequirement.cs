using System.Globalization;
using System.Text.RegularExpressions;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Requirement for a fleet, such as <c>sum iops &gt; 300000</c>, <c>p99 &lt; 5ms</c>, or <c>slowest iops &gt;= 5000</c>.</summary>
public sealed partial record FleetRequirement(string Name, string Comparison, double Limit)
{
    private static readonly (string Name, Func<FleetGroup, double?> Figure)[] s_metrics =
    [
        ("sum iops", group => group.IOPS),
        ("sum mbps", group => group.MBps),
        ("median iops", group => group.MedianIops),
        ("slowest iops", group => group.Slowest?.IOPS),
        ("fastest iops", group => group.Fastest?.IOPS),
        ("average", group => group.AverageLatencyMs),
        ("p50", group => group.P50Ms),
        ("p99", group => group.P99Ms),
        ("p999", group => group.P999Ms),
        ("max", group => group.MaxLatencyMs),
        ("spread", group => group.SpreadPercent),
        ("hosts", group => group.Hosts.Count),
    ];

    public static IReadOnlyList<FleetRequirement> Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return
        [
            .. text.Split(',')
                .Select(part =>
                {
                    var match = GetRequirementRegex().Match(part);
                    var name = string.Join(' ', match.Groups[1].Value.Split(' ', StringSplitOptions.RemoveEmptyEntries)).ToLowerInvariant();
                    return match.Success && Array.Exists(s_metrics, figure => figure.Name == name)
                        ? new FleetRequirement(
                            name,
                            match.Groups[2].Value,
                            double.Parse(match.Groups[3].Value, CultureInfo.InvariantCulture)
                        )
                        : throw IoBenchException.Usage(
                            "IoBench.InvalidRequirement",
                            $"'{part.Trim()}' is not a valid requirement.",
                            text,
                            advice: $"Use a metric ({string.Join(", ", s_metrics.Select(metric => metric.Name))}), one of > >= < <=, and a number. Example: sum iops > 300000."
                        );
                }),
        ];
    }

    public static IReadOnlyList<FleetRequirement> FromOptions(OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(values);
        return values.GetText(new OptionName("Require")) is { } text ? Parse(text) : [];
    }

    /// <summary>Returns whether a group meets the requirement; false if the value is unknown.</summary>
    private bool IsMet(FleetGroup group) =>
        GetValue(group) is { } figure
        && Comparison switch
        {
            ">" => figure > Limit,
            ">=" => figure >= Limit,
            "<" => figure < Limit,
            _ => figure <= Limit,
        };

    /// <summary>Describes the failure: <c>oltp: sum iops is 281,000, not &gt; 300,000</c>.</summary>
    private string DescribeFailure(FleetGroup group) =>
        $"{group.Test}: {Name} is {(GetValue(group) is { } value ? NumberFormat.Short(value) : "not known")}, but must be {Comparison} {NumberFormat.Short(Limit)}";

    /// <summary>In a ramp, only the step with the most hosts is checked; the smaller steps are for comparison.</summary>
    public static IReadOnlyList<string> DescribeFailures(IReadOnlyList<FleetRequirement> requirements, IReadOnlyList<FleetGroup> groups)
    {
        ArgumentNullException.ThrowIfNull(requirements);
        ArgumentNullException.ThrowIfNull(groups);
        var max = groups.Count == 0 ? 0 : groups.Max(group => group.AskedHosts);
        return
        [
            .. requirements.SelectMany(requirement =>
                groups.Where(group => group.AskedHosts == max && !requirement.IsMet(group)).Select(requirement.DescribeFailure)
            ),
        ];
    }

    private double? GetValue(FleetGroup group) => Array.Find(s_metrics, figure => figure.Name == Name).Figure(group);

    [GeneratedRegex(@"^\s*([a-zA-Z0-9 ]+?)\s*(>=|<=|>|<)\s*([0-9]+(?:\.[0-9]+)?)\s*(?:ms|%|MiB/s|iops)?\s*$", RegexOptions.IgnoreCase)]
    private static partial Regex GetRequirementRegex();
}
