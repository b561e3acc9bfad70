using IoBench.Engine;

namespace IoBench.Formats;

public static class SqlioSupport
{
    /// <summary>Describes the feature of a test that SQLIO's text cannot represent; null if it can represent the test.</summary>
    public static string? FindUnsupportedFeature(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        return FindUnsupportedFeature(test.Operation, test.AccessPattern, test.BlockSize) ?? DiskSpdSupport.FindUnsupportedFeature(test);
    }

    internal static IoTestResult EnsureSupported(IoTestResult result) =>
        (
            FindUnsupportedFeature(result.Operation, result.AccessPattern, result.BlockSizeKB * 1024)
            ?? (result.Specification is { } test ? DiskSpdSupport.FindUnsupportedFeature(test) : null)
        )
            is { } words
            ? throw IoBenchException.InvalidData(
                "IoBench.NotRepresentable",
                $"{result.Workload ?? result.IOPattern ?? "A result"} has {words}, which SQLIO output cannot show. Use JSON or CSV."
            )
            : result;

    private static string? FindUnsupportedFeature(IoOperation? operation, IoAccessPattern? order, double? blockSize) =>
        (operation, order) switch
        {
            (IoOperation.Mixed, _) => "mixed reads and writes",
            (_, IoAccessPattern.PartRandom) => "I/Os that are partly random",
            _ when blockSize is { } bytes && bytes % 1024 != 0 => $"blocks of {NumberFormat.Short(bytes)} bytes",
            _ => null,
        };
}
