using System.Globalization;

namespace IoBench.Engine;

/// <summary>The pattern in words: <c>8KB random read</c>, <c>8KB random 30% write</c>, <c>512KB interlocked read</c>.</summary>
public static class PatternText
{
    /// <summary>The words for a block size, order and share of writes; what is null is left out.</summary>
    public static string Of(double? blockSizeKB, IoAccessPattern? accessPattern, int? writePercent)
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
        var operation = writePercent switch { null => null, 0 => "read", 100 => "write", _ => $"{writePercent}% write" };
        return string.Join(' ', new[] { Size(blockSizeKB), order, operation }.Where(part => part is not null));
    }

    /// <summary>The words for a test: its targets' own patterns; more than two are counted, as their names would fill a line.</summary>
    public static string Of(IoTestSpecification test)
    {
        var patterns = test.Targets.Select(target => Of(test.PatternOf(target))).DefaultIfEmpty(Of((IoPattern)test)).Distinct().ToList();
        return patterns.Count <= 2 ? string.Join("; ", patterns)
            : string.Create(CultureInfo.InvariantCulture, $"{patterns.Count} patterns at once");
    }

    /// <summary>The words for a pattern.</summary>
    public static string Of(IoPattern pattern) => Of(pattern.BlockSize / 1024.0, pattern.Order.Kind, pattern.WritePercent);

    /// <summary>The caches that may answer, in words.</summary>
    public static string Of(IoBuffering buffering) => buffering switch
    {
        IoBuffering.None => "unbuffered, write-through",
        IoBuffering.Hardware => "unbuffered",
        IoBuffering.Software => "file cache, write-through",
        _ => "file cache",
    };

    private static string? Size(double? kilobytes) => kilobytes switch
    {
        null => null,
        < 1 => (kilobytes.Value * 1024).ToString("0", CultureInfo.InvariantCulture) + "B",
        >= 1024 when kilobytes % 1024 == 0 => (kilobytes.Value / 1024).ToString("0", CultureInfo.InvariantCulture) + "MB",
        _ => kilobytes.Value.ToString("0.##", CultureInfo.InvariantCulture) + "KB",
    };
}
