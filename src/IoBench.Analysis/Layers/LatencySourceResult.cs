using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Where the latency of a file comes from.</summary>
public sealed record LatencySourceResult : IHasFindings
{
    /// <summary>Number of slow I/Os with their times.</summary>
    public const int SlowestCount = 10;

    private readonly LatencyBreakdown[] _breakdowns = [];
    private IReadOnlyList<Finding>? _findings;

    /// <summary>Null in an anonymous result.</summary>
    public required string? Path { get; init; }

    /// <summary>Null in an anonymous result.</summary>
    public string? ComputerName { get; init; }

    public required DateTimeOffset StartUtc { get; init; }

    public required DateTimeOffset EndUtc { get; init; }

    /// <summary>Levels of the storage from the top, without serial numbers.</summary>
    public required IReadOnlyList<StorageLevel> Levels { get; init; }

    /// <summary>Reads, then writes.</summary>
    public required IReadOnlyList<LatencyBreakdown> Breakdowns
    {
        get => _breakdowns;
        init
        {
            _breakdowns = [.. value];
            foreach (var layer in value.SelectMany(breakdown => breakdown.Layers))
                layer.Result = this;
        }
    }

    public required IReadOnlyList<LatencyStep> Steps { get; init; }

    /// <summary>The slowest reads and writes as SQL Server does them, the slowest first.</summary>
    public required IReadOnlyList<SlowRequest> SlowestIOs { get; init; }

    /// <summary>Facts about this computer and its storage by name.</summary>
    public IReadOnlyDictionary<string, string> Facts { get; init; } = new Dictionary<string, string>();

    /// <summary>What was not measured, as sentences.</summary>
    public IReadOnlyList<string> Omissions { get; init; } = [];

    /// <summary>Results of the reads and writes as SQL Server does them.</summary>
    [JsonIgnore]
    public IReadOnlyList<IoTestResult> Results { get; init; } = [];

    [JsonIgnore]
    public IReadOnlyList<LatencyLayer> Layers => (LatencyLayer[])[.. Breakdowns.SelectMany(breakdown => breakdown.Layers)];

    public string Summary => string.Join(" ", Breakdowns.Select(breakdown => breakdown.Verdict));

    public IReadOnlyList<Finding> Findings => _findings ??= (Finding[])[.. CreateFindings()];

    /// <summary>Divides the latency of a test among the layers of the storage.</summary>
    public static LatencyBreakdown BreakDown(LatencyObservation observation) => LatencyBreakdownBuilder.Build(observation);

    /// <summary>The slowest I/Os of tests with their absolute times.</summary>
    public static IReadOnlyList<SlowRequest> FindSlowest(IEnumerable<IoTestResult> results) =>
        // An array, because PowerShell cannot index the lists of collection expressions.
        (SlowRequest[])
            [
                .. results
                    .Where(result => result.StartTime is not null)
                    .SelectMany(result =>
                    {
                        // Times of I/Os count from the end of the warm-up.
                        var from = result.StartTime!.Value.ToUniversalTime() + (result.Specification?.WarmUp ?? TimeSpan.Zero);
                        return result.SlowestIOs.Select(io => new SlowRequest(
                            from.AddSeconds(io.Seconds),
                            from.AddSeconds(io.Seconds + io.LatencyMs / 1000),
                            io.LatencyMs,
                            io.Kind,
                            io.Offset,
                            io.Size
                        ));
                    })
                    .OrderByDescending(io => io.LatencyMs)
                    .Take(SlowestCount),
            ];

    private IEnumerable<Finding> CreateFindings()
    {
        foreach (var breakdown in Breakdowns)
            yield return new Finding
            {
                Code = breakdown.Cause switch
                {
                    LatencyCause.Layer or LatencyCause.IoBench => FindingCodes.LatencyLayer,
                    LatencyCause.Host => FindingCodes.LatencyHost,
                    LatencyCause.OtherLoad => FindingCodes.LatencyOtherLoad,
                    _ => FindingCodes.LatencyInconclusive,
                },
                Subject = breakdown.Operation == IoOperation.Write ? "writes" : "reads",
                What = breakdown.Verdict,
                WhatToDo = breakdown.Advice,
                Evidence =
                [
                    new("AverageLatencyMs", breakdown.AverageMs, "ms"),
                    .. breakdown.Layers.Select(layer => new FindingEvidence(layer.Layer, layer.Milliseconds, "ms")),
                ],
            };
        if (
            Steps.FirstOrDefault(step => step.Step == LatencyStepKind.Write) is { } write
            && Steps.FirstOrDefault(step => step.Step == LatencyStepKind.WriteWithoutWriteThrough) is { } lazy
            && lazy.AverageMs <= MaxLazyShare * write.AverageMs
        )
            yield return new Finding
            {
                Code = FindingCodes.LatencyWriteThrough,
                Subject = "writes",
                What = Invariant(
                    $"Write-through accounts for {NumberFormat.Milliseconds(write.AverageMs - lazy.AverageMs)} of the average write latency of {NumberFormat.Milliseconds(write.AverageMs)}. The storage flushes a volatile cache, or writes through it."
                ),
                WhatToDo = "Compare the commit methods with iobench commit (Measure-IoCommit)",
                Evidence =
                [
                    new("AverageLatencyMs", write.AverageMs, "ms"),
                    new("AverageLatencyMs without write-through", lazy.AverageMs, "ms"),
                ],
            };
    }

    /// <summary>A smaller difference between two tests one after the other can be chance.</summary>
    private const double MaxLazyShare = 0.5;

    /// <summary>Each finding as printed, and what was not measured.</summary>
    public IEnumerable<string> DescribeFindings() => [.. Findings.Select(finding => finding.Describe()), .. Omissions];

    public override string ToString() => Summary;
}
