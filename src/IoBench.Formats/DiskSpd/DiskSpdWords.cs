namespace IoBench.Formats.DiskSpd;

/// <summary>What DiskSpd has no words for, and nothing that comes near: its text and XML would describe another test.</summary>
public static class DiskSpdWords
{
    /// <summary>Of a target that is mapped into memory, in a profile, a text or an XML.</summary>
    internal const string MemoryMapped = "memory-mapped I/O (-Sm) is not offered";

    /// <summary>Of a target that uses the cache of a remote server and not the local one.</summary>
    internal const string RemoteCacheOnly = "the cache of a remote server alone (-Sr) is not offered";

    /// <summary>What is not offered, as a result that was measured so says it.</summary>
    internal static string OfResult(string what) => what is MemoryMapped or RemoteCacheOnly ? what + ": it is shown as cached I/O" : what;

    /// <summary>What of a test DiskSpd cannot say, in words; null when it can say all that matters.</summary>
    public static string? Lacks(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        return test.Verify
            ? "a check of each read"
            : test.Targets.Select(test.PatternOf).Append(test).Select(Lacks).FirstOrDefault(words => words is not null);
    }

    /// <summary>Hands a result on that can be written.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotRepresentable</c>.</exception>
    internal static IoTestResult Check(IoTestResult result) =>
        result.Specification is { } test && Lacks(test) is { } words
            ? throw IoBenchException.InvalidData(
                "IoBench.NotRepresentable",
                $"{result.Workload ?? result.IOPattern ?? "A result"} has {words}, which DiskSpd has no words for.",
                advice: "Use JSON, CSV or fio's form."
            )
            : result;

    private static string? Lacks(IoPattern pattern) =>
        pattern switch
        {
            { BlockMix: not null } => "a mix of block sizes",
            { FlushEvery: 1 } => "a flush after every write",
            { FlushEvery: > 1 } => $"a flush after every {Figures.Whole(pattern.FlushEvery)} writes",
            { Depths: not null } => "outstanding reads and writes apart",
            { Order.Spread: IoDistribution.Zipf or IoDistribution.Pareto } => $"the distribution {pattern.Order.Spread}",
            _ => null,
        };
}
