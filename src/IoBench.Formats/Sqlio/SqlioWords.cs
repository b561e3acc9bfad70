namespace IoBench.Formats.Sqlio;

/// <summary>What SQLIO has no words for: its text would describe another test.</summary>
public static class SqlioWords
{
    /// <summary>What of a test SQLIO cannot say, in words; null when it can say all that matters.</summary>
    public static string? Lacks(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        return Lacks(test.Operation, test.AccessPattern, test.BlockSize) ?? DiskSpdWords.Lacks(test);
    }

    /// <summary>Hands a result on that can be written.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotRepresentable</c>.</exception>
    internal static IoTestResult Check(IoTestResult result) =>
        (
            Lacks(result.Operation, result.AccessPattern, result.BlockSizeKB * 1024)
            ?? (result.Specification is { } test ? DiskSpdWords.Lacks(test) : null)
        )
            is { } words
            ? throw IoBenchException.InvalidData(
                "IoBench.NotRepresentable",
                $"{result.Workload ?? result.IOPattern ?? "A result"} has {words}, which SQLIO has no words for: write Json or Csv."
            )
            : result;

    private static string? Lacks(IoOperation? operation, IoAccessPattern? order, double? blockSize) =>
        (operation, order) switch
        {
            (IoOperation.Mixed, _) => "reads and writes at once",
            (_, IoAccessPattern.PartRandom) => "I/Os of which a part is random",
            _ when blockSize is { } bytes && bytes % 1024 != 0 => $"blocks of {Figures.Short(bytes)} bytes",
            _ => null,
        };
}
