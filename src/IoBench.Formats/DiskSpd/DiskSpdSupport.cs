using IoBench.Engine;
using static IoBench.Formats.DiskSpdCommandLine;

namespace IoBench.Formats;

/// <summary>Finds features of a test that DiskSpd does not have, and that its text and XML therefore cannot describe.</summary>
public static class DiskSpdSupport
{
    internal const string MemoryMapped = "IoBench does not support memory-mapped I/O (-Sm)";

    internal const string RemoteCacheOnly = "IoBench does not support remote caching without local caching (-Sr)";

    internal static string DescribeForResult(string what) =>
        what is MemoryMapped or RemoteCacheOnly ? what + ", so the result shows this I/O as cached I/O" : what;

    /// <summary>Returns the first feature that DiskSpd does not have, as a noun phrase; null if DiskSpd can describe the test.</summary>
    public static string? FindUnsupportedFeature(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        return test.Verify
            ? "verification of each read"
            : test.Targets.Select(test.GetPattern).Append(test).Select(FindUnsupportedFeature).FirstOrDefault(words => words is not null);
    }

    /// <summary>Returns what the DiskSpd command line requested, or for a result of another tool everything that is available.</summary>
    internal static DiskSpdOptions GetOutputOptions(IoTestResult result) =>
        result.Specification?.GetOrAddOrigin().DiskSpd
        ?? new DiskSpdOptions
        {
            MeasureLatency = result.AverageLatencyMs is not null || result.Percentiles.Count > 0,
            GatherIops = result.IopsStdDev is not null,
        };

    internal static IoTestResult EnsureSupported(IoTestResult result) =>
        result.Specification is { } test && FindUnsupportedFeature(test) is { } words
            ? throw IoBenchException.InvalidData(
                "IoBench.NotRepresentable",
                $"{result.Workload ?? result.IOPattern ?? "A result"} has {words}, which DiskSpd output cannot show.",
                advice: "Use JSON, CSV, or the fio format."
            )
            : result;

    private static string? FindUnsupportedFeature(IoPattern pattern) =>
        pattern switch
        {
            { BlockMix: not null } => "a mix of block sizes",
            { FlushEvery: 1 } => "a flush after every write",
            { FlushEvery: > 1 } => $"a flush after every {NumberFormat.Integer(pattern.FlushEvery)} writes",
            { Depths: not null } => "separate queue depths for reads and writes",
            { HasRandomOffsets: true, ZipfTheta: not null } or { HasRandomOffsets: true, ParetoShare: not null } =>
                $"the distribution {pattern.GetDistribution()}",
            _ => null,
        };

    /// <exception cref="IoBenchException">BypassIO is mandatory, or this computer does not have a group.</exception>
    internal static void PrepareToRun(IEnumerable<IoTestSpecification> tests, List<string> notes)
    {
        foreach (var test in tests)
        {
            if (test.GetOrAddOrigin().DiskSpd?.Version23 is not { } options)
                continue;
            AddNotes(options, notes);
            if (options.WholeGroups != 0)
                ResolveGroups(test, options.WholeGroups, HostFacts.GetProcessorGroups());
        }
    }

    private static void AddNotes(DiskSpd23Options options, List<string> notes)
    {
        switch (options.BypassIO)
        {
            case DiskSpdBypass.Full:
                throw CreateNotSupportedError(
                    "-SY: IoBench does not support BypassIO, and -SY requires it.",
                    advice: "Remove the Y, or use -Sy, which allows the test to run without BypassIO."
                );
            case DiskSpdBypass.Partial:
                Note(
                    "-Sy: IoBench does not support BypassIO. The reads use the normal path through the file system and the storage stack."
                );
                break;
        }
        if (options.IoRingBatch is not null)
        {
            Note(
                OperatingSystem.IsWindows()
                    ? "-u: IoBench does not support IoRing on Windows. The test uses a completion port."
                    : "-u: IoRing requires Windows. The test uses io_uring if the kernel supports it, and IoBench chooses the batch sizes."
            );
        }
        if (!options.SeparatesBuffers)
            Note("-bsn: IoBench places the buffers itself, so the option has no effect.");
        if (options.CompletionDepth is not null)
            Note("-oc: IoBench always processes all available completions, so the option has no effect.");
        if (options.IsCoreAware || options.SpansGroups || options.CoreOrder is not (DiskSpdCoreOrder.PFirst or DiskSpdCoreOrder.Unordered))
            Note("-a: c, s, P, e, and E have no effect, because IoBench uses CPUs in the listed order or in the order of their numbers.");

        void Note(string text)
        {
            if (!notes.Contains(text))
                notes.Add(text);
        }
    }

    private static void ResolveGroups(IoTestSpecification test, ulong wholeGroups, IReadOnlyList<int> groups)
    {
        var processors = new List<int>();
        for (var group = 0; group < 64; group++)
        {
            if ((wholeGroups & (1UL << group)) == 0)
                continue;
            if (group >= groups.Count)
                throw CreateInvalidError(
                    $"-ag{group}: this computer has {NumberFormat.Pluralize(groups.Count, "processor group")}, numbered from 0."
                );
            processors.AddRange(Enumerable.Range(0, groups[group]).Select(processor => DiskSpdProcessorLists.GetNumber(group, processor)));
        }
        foreach (var pattern in test.Targets.Select(t => t.Pattern).OfType<IoPattern>().Append(test))
            pattern.Processors =
            [
                .. pattern.Processors.Where(p => (wholeGroups & (1UL << (p / DiskSpdProcessorLists.MaxPerGroup))) == 0),
                .. processors,
            ];
    }

    internal static readonly string[] TopologyCountNames = ["cpu count", "core count", "group count", "node count", "socket count"];

    internal static string? GetTopologyCount(IoTestResult result, string name)
    {
        if (result.Host.TryGetValue(name, out var known))
            return known;
        var all = result.Processors;
        if (all.Count == 0)
            return null;
        int? count = name switch
        {
            "cpu count" => all.Count,
            "core count" when all.TrueForAll(p => p.Core is not null) => all.Select(p => (p.Group, p.Core)).Distinct().Count(),
            "group count" when all.TrueForAll(p => p.Group is not null) => all.Select(p => p.Group).Distinct().Count(),
            "node count" when all.TrueForAll(p => p.Node is not null) => all.Select(p => p.Node).Distinct().Count(),
            "socket count" when all.TrueForAll(p => p.Socket is not null) => all.Select(p => p.Socket).Distinct().Count(),
            _ => null,
        };
        return count is null ? null : NumberFormat.Integer(count);
    }

    /// <summary>Returns y if cores are of different kinds, n if not, and null if unknown.</summary>
    internal static string? GetHeterogeneous(IoTestResult result) =>
        result.Host.GetValueOrDefault("heterogeneous cores") ?? (result.Processors.Exists(p => p.EfficiencyClass is not null) ? "y" : null);

    internal static string GetProcessorName(IoTestResult result) =>
        result.Host.GetValueOrDefault("processor name") ?? result.Host.GetValueOrDefault("Processor") ?? "<unknown>";

    internal static long? GetPageSize(IoTestResult result)
    {
        if (result.Host.TryGetValue("page size", out var text))
            return DiskSpdValueFormat.TryParseSize(text, out var bytes, out _) ? bytes : null;
        return result.Source == IoTestResult.OwnSource ? Environment.SystemPageSize : null;
    }
}
