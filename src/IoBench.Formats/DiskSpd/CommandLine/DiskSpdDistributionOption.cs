using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>The value of -rd: <c>pct90/10:0/10:5/20</c> or <c>abs90/10G:5/20G</c>.</summary>
internal static class DiskSpdDistributionOption
{
    internal static (List<IoDistributionRange> Ranges, bool IsAbsolute) Parse(string option, string text, long blockSize)
    {
        var isAbsolute = text.StartsWith("abs", StringComparison.Ordinal);
        if (!isAbsolute && !text.StartsWith("pct", StringComparison.Ordinal))
            throw DiskSpdArguments.CreateInvalidError($"-{option}: -rd requires pct or abs, for example -rdpct90/10:5/20.");
        var ranges = new List<IoDistributionRange>();
        foreach (var pair in text[3..].Split(':'))
        {
            var slash = pair.IndexOf('/', StringComparison.Ordinal);
            if (slash < 0)
                throw DiskSpdArguments.CreateInvalidError($"-{option}: '{pair}' is not a pair such as 90/10.");
            var share = DiskSpdArguments.ParseNumber(pair.AsSpan(0, slash), out var isPlain);
            if (!isPlain || share is < 0 or > 100)
                throw DiskSpdArguments.CreateInvalidError(
                    $"-{option}: '{pair}': the percentage of the I/Os must be from 0 to 100 percent."
                );
            if (
                !DiskSpdArguments.TryParseSize(pair.AsSpan(slash + 1), isAbsolute ? blockSize : 1, out var part)
                || part == 0
                || (!isAbsolute && part > 100)
            )
                throw DiskSpdArguments.CreateInvalidError(
                    $"-{option}: '{pair}': "
                        + (
                            isAbsolute
                                ? "the part of the target must be a size above 0."
                                : "the part of the target must be from 1 to 100 percent."
                        )
                );
            ranges.Add(new IoDistributionRange(share, part));
        }
        AddRemainder(ranges, isAbsolute);
        return (ranges, isAbsolute);
    }

    internal static void Validate(IReadOnlyList<IoDistributionRange> ranges, bool isAbsolute, long blockSize)
    {
        if (ranges.Count == 0)
            return;
        var share = ranges.Sum(r => r.IOPercent);
        if (share > 100)
            throw DiskSpdArguments.CreateInvalidError($"-rd: the percentages of the I/Os add up to {share}. The maximum is 100.");
        if (isAbsolute)
        {
            if (ranges.Any(r => r.TargetPart < blockSize))
                throw DiskSpdArguments.CreateInvalidError($"-rd: a part of the target is smaller than a block ({new IoSize(blockSize)}).");
            return;
        }
        var part = CountMath.Sum(ranges.Select(r => r.TargetPart));
        if (part == 100 && share < 100)
            throw DiskSpdArguments.CreateInvalidError(
                $"-rd: the parts cover the whole target, but {100 - share} percent of the I/Os remain."
            );
        if (part != 100)
            throw DiskSpdArguments.CreateInvalidError(
                $"-rd: the parts of the target add up to {part} percent. They must add up to 100 percent."
            );
    }

    /// <summary>As in DiskSpd, the rest of a percentage distribution is a range. An absolute one needs no range for the rest.</summary>
    private static void AddRemainder(List<IoDistributionRange> ranges, bool isAbsolute)
    {
        var share = ranges.Sum(r => r.IOPercent);
        var part = CountMath.Sum(ranges.Select(r => r.TargetPart));
        if (!isAbsolute && share < 100 && part < 100)
            ranges.Add(new IoDistributionRange(100 - share, 100 - part));
    }
}
