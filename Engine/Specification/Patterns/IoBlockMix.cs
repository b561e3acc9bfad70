using System.Globalization;

namespace IoBench.Engine;

/// <summary>Each I/O gets a random size, by separate percentages for reads and writes, 100% in total each.</summary>
/// <param name="Writes">The same list as <paramref name="Reads"/> if they are equal.</param>
public sealed record IoBlockMix(IReadOnlyList<IoBlockShare> Reads, IReadOnlyList<IoBlockShare> Writes)
{
    public IReadOnlyList<IoBlockShare> Reads { get; init; } = Reads ?? [];

    public IReadOnlyList<IoBlockShare> Writes { get; init; } = Writes ?? [];

    /// <summary>Maximum number of sizes per direction.</summary>
    public const int MaxSizes = 64;

    public long GetLargestSize() => Reads.Concat(Writes).Max(share => share.Size);

    public long GetSmallestSize() => Reads.Concat(Writes).Min(share => share.Size);

    public double GetMeanSize(int writePercent) => (GetMeanSize(Reads) * (100 - writePercent) + GetMeanSize(Writes) * writePercent) / 100;

    public bool HasSameReadsAndWrites() => Reads.SequenceEqual(Writes);

    /// <param name="text">
    /// <c>8KB:60,64KB:30,512KB:10</c> or <c>read 8KB / write 64KB:90,1MB:10</c>. Sizes without a percentage share the rest equally.
    /// </param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidBlockMix</c>.</exception>
    public static IoBlockMix Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        IReadOnlyList<IoBlockShare>? reads = null,
            writes = null;
        var sides = text.Split('/', StringSplitOptions.TrimEntries);
        foreach (var side in sides)
        {
            var words = side.Split([' ', ','], StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
            var kind = words.Length == 0 ? "" : words[0].ToUpperInvariant();
            var isNamed = kind is "READ" or "READS" or "WRITE" or "WRITES";
            if (isNamed != sides.Length > 1 || sides.Length > 2)
                throw CreateInvalidMixError(
                    text,
                    "one of the two parts must be for reads, and the other for writes, as in read 8KB / write 64KB"
                );
            var shares = ParseShares(text, words[(isNamed ? 1 : 0)..]);
            if (kind[0] != 'W' || !isNamed)
                reads = reads is null ? shares : throw CreateInvalidMixError(text, "reads are specified twice");
            if (kind[0] == 'W' || !isNamed)
                writes = writes is null ? shares : throw CreateInvalidMixError(text, "writes are specified twice");
        }
        return new IoBlockMix(reads!, writes!);
    }

    public override string ToString() =>
        HasSameReadsAndWrites() ? FormatShares(Reads) : $"read {FormatShares(Reads)} / write {FormatShares(Writes)}";

    public bool Equals(IoBlockMix? other) => other is not null && Reads.SequenceEqual(other.Reads) && Writes.SequenceEqual(other.Writes);

    public override int GetHashCode() => Reads.Concat(Writes).Aggregate(0, HashCode.Combine);

    private static List<IoBlockShare> ParseShares(string text, string[] words)
    {
        var parts = words.Select(word => word.Split(':')).ToList();
        if (parts.Count is 0 or > MaxSizes || parts.Exists(part => part.Length > 2))
            throw CreateInvalidMixError(text, "sizes and their percentages must have the form 8KB:60,64KB:40");
        var shares = parts.ConvertAll(part =>
            (
                Size: IoSize.Parse(part[0]).Bytes,
                Percent: part.Length == 1 ? -1
                : int.TryParse(part[1].TrimEnd('%'), NumberStyles.None, CultureInfo.InvariantCulture, out var percent) ? percent
                : throw CreateInvalidMixError(text, $"'{part[1]}' is not a percentage")
            )
        );
        var left = 100 - shares.Sum(share => Math.Max(0, share.Percent));
        var open = shares.Count(share => share.Percent < 0);
        if (left < 0 || open == 0 && left > 0 || open > 0 && left < open)
            throw CreateInvalidMixError(text, $"the percentages add up to {100 - left}%, not 100%");
        // The first size without a percentage gets the remainder of the division.
        var rest = open == 0 ? 0 : left % open;
        var result = new List<IoBlockShare>();
        foreach (var (size, percent) in shares.Where(share => share.Percent != 0))
        {
            result.Add(new IoBlockShare(size, percent > 0 ? percent : left / open + rest));
            rest = percent > 0 ? rest : 0;
        }
        return result;
    }

    private static string FormatShares(IReadOnlyList<IoBlockShare> shares) => string.Join(',', shares);

    private static double GetMeanSize(IReadOnlyList<IoBlockShare> shares) => shares.Sum(share => share.Size * (double)share.Percent) / 100;

    private static IoBenchException CreateInvalidMixError(string text, string why) =>
        IoBenchException.Usage("IoBench.InvalidBlockMix", $"'{text}' is not a valid mix of block sizes, because {why}.", text);
}

/// <param name="Percent">1 to 100.</param>
public sealed record IoBlockShare(long Size, int Percent)
{
    public override string ToString() => FormattableString.Invariant($"{new IoSize(Size)}:{Percent}");
}

/// <summary>Per thread and target. The write percentage of the result then depends on the speed of both.</summary>
public sealed record IoDepths(int Reads, int Writes);
