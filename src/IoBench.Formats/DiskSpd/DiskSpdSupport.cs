using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Finds features of a test that DiskSpd does not have, and that its text and XML therefore cannot describe.</summary>
public static class DiskSpdSupport
{
    internal const string MemoryMapped = "memory-mapped I/O (-Sm) is not offered";

    internal const string RemoteCacheOnly = "IoBench does not support the cache of a remote server without the local cache (-Sr)";

    internal static string DescribeForResult(string what) =>
        what is MemoryMapped or RemoteCacheOnly ? what + ": it is shown as cached I/O" : what;

    /// <summary>Returns the first feature that DiskSpd does not have, as a noun phrase; null if DiskSpd can describe the test.</summary>
    public static string? FindUnsupportedFeature(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        return test.Verify
            ? "a check of each read"
            : test.Targets.Select(test.GetPattern).Append(test).Select(FindUnsupportedFeature).FirstOrDefault(words => words is not null);
    }

    internal static IoTestResult EnsureSupported(IoTestResult result) =>
        result.Specification is { } test && FindUnsupportedFeature(test) is { } words
            ? throw IoBenchException.InvalidData(
                "IoBench.NotRepresentable",
                $"{result.Workload ?? result.IOPattern ?? "A result"} has {words}, which DiskSpd output cannot show.",
                advice: "Use JSON, CSV or fio's form."
            )
            : result;

    private static string? FindUnsupportedFeature(IoPattern pattern) =>
        pattern switch
        {
            { BlockMix: not null } => "a mix of block sizes",
            { FlushEvery: 1 } => "a flush after every write",
            { FlushEvery: > 1 } => $"a flush after every {NumberFormat.Integer(pattern.FlushEvery)} writes",
            { Depths: not null } => "outstanding reads and writes apart",
            { Order.Spread: IoDistribution.Zipf or IoDistribution.Pareto } => $"the distribution {pattern.Order.Spread}",
            _ => null,
        };
}
