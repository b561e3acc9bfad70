using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Finds features of a test that DiskSpd does not have, and that its text and XML therefore cannot describe.</summary>
public static class DiskSpdSupport
{
    internal const string MemoryMapped = "IoBench does not support memory-mapped I/O (-Sm)";

    internal const string RemoteCacheOnly = "IoBench does not support the cache of a remote server without the local cache (-Sr)";

    internal static string DescribeForResult(string what) =>
        what is MemoryMapped or RemoteCacheOnly ? what + ", so the result shows it as cached I/O" : what;

    /// <summary>Returns the first feature that DiskSpd does not have, as a noun phrase; null if DiskSpd can describe the test.</summary>
    public static string? FindUnsupportedFeature(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        return test.Verify
            ? "a verification of each read"
            : test.Targets.Select(test.GetPattern).Append(test).Select(FindUnsupportedFeature).FirstOrDefault(words => words is not null);
    }

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
}
