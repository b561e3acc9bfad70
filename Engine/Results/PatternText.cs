using System.Globalization;

namespace IoBench.Engine;

/// <summary>Texts such as <c>8KB random read</c>, <c>8KB random 30% write</c>, or <c>512KB interlocked read</c>.</summary>
public static class PatternText
{
    public static string Describe(double? blockSizeKB, IoAccessPattern? accessPattern, int? writePercent)
    {
        var order = accessPattern switch
        {
            IoAccessPattern.Random => "random",
            IoAccessPattern.Sequential => "sequential",
            IoAccessPattern.Interlocked => "interlocked",
            IoAccessPattern.PartRandom => "part random",
            IoAccessPattern.Stride => "stride",
            _ => null,
        };
        var operation = writePercent switch
        {
            null => null,
            0 => "read",
            100 => "write",
            _ => $"{writePercent}% write",
        };
        return string.Join(' ', new[] { FormatSize(blockSizeKB), order, operation }.Where(part => part is not null));
    }

    public static string Describe(IoTestSpecification test)
    {
        var patterns = test
            .Targets.Select(target => Describe(test.GetPattern(target)))
            .DefaultIfEmpty(Describe((IoPattern)test))
            .Distinct()
            .ToList();
        return patterns.Count <= 2
            ? string.Join("; ", patterns)
            : string.Create(CultureInfo.InvariantCulture, $"{patterns.Count} concurrent patterns");
    }

    /// <summary>Returns the threads per target, such as <c>4</c>, or <c>2; 1</c> for a test with two patterns.</summary>
    public static string DescribeThreads(IoTestSpecification test) => DescribeNumbers(test, pattern => pattern.ThreadCount);

    /// <summary>Returns the outstanding I/Os per thread and target, such as <c>8</c>, or <c>4; 1</c> for a test with two
    /// patterns.</summary>
    public static string DescribeOutstanding(IoTestSpecification test) => DescribeNumbers(test, pattern => pattern.OutstandingIO);

    private static string DescribeNumbers(IoTestSpecification test, Func<IoPattern, int> getNumber)
    {
        ArgumentNullException.ThrowIfNull(test);
        var numbers = test
            .Targets.Select(test.GetPattern)
            .DefaultIfEmpty(test)
            .DistinctBy(pattern => (Describe(pattern), pattern.ThreadCount, pattern.OutstandingIO))
            .Select(getNumber)
            .ToList();
        if (numbers.TrueForAll(number => number == numbers[0]))
            return NumberFormat.Integer(numbers[0]);
        return numbers.Count == 2
            ? string.Create(CultureInfo.InvariantCulture, $"{numbers[0]}; {numbers[1]}")
            : string.Create(CultureInfo.InvariantCulture, $"{numbers.Min()}-{numbers.Max()}");
    }

    public static string Describe(IoPattern pattern)
    {
        ArgumentNullException.ThrowIfNull(pattern);
        var size = pattern.BlockMix is { } mix ? Describe(mix, pattern) + " " : "";
        var text =
            size
            + Describe(
                pattern.BlockMix is null ? pattern.BlockSize / 1024.0 : null,
                pattern.AccessPattern,
                pattern.Depths is null ? pattern.WritePercent : null
            );
        return pattern.Depths is { } depths
            ? string.Create(CultureInfo.InvariantCulture, $"{text} {depths.Reads} reads + {depths.Writes} writes")
            : text;
    }

    // For example 8KB:60/64KB:40; reads and writes separately if they differ.
    private static string Describe(IoBlockMix mix, IoPattern pattern) =>
        pattern.Operation switch
        {
            IoOperation.Write => string.Join('/', mix.Writes),
            IoOperation.Mixed when !mix.HasSameReadsAndWrites() =>
                $"read {string.Join('/', mix.Reads)}, write {string.Join('/', mix.Writes)}",
            _ => string.Join('/', mix.Reads),
        };

    public static string Describe(IoBuffering buffering) =>
        buffering switch
        {
            IoBuffering.None => "unbuffered, write-through",
            IoBuffering.Hardware => "unbuffered",
            IoBuffering.Software => "file cache, write-through",
            _ => "file cache",
        };

    private static string? FormatSize(double? kilobytes) =>
        kilobytes switch
        {
            null => null,
            < 1 => (kilobytes.Value * 1024).ToString("0", CultureInfo.InvariantCulture) + "B",
            >= 1024 when kilobytes % 1024 == 0 => (kilobytes.Value / 1024).ToString("0", CultureInfo.InvariantCulture) + "MB",
            _ => kilobytes.Value.ToString("0.##", CultureInfo.InvariantCulture) + "KB",
        };
}
