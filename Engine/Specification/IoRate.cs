using System.Globalization;

namespace IoBench.Engine;

/// <summary>
/// A rate as users write it: <c>500 IOPS</c>, <c>200 MB/s</c> (10^6 bytes per second, as storage is sold), <c>200 MiB/s</c> (2^20). The
/// unit is required, because a bare number could be either. Culture-invariant.
/// </summary>
public readonly record struct IoRate
{
    private static readonly (string Unit, double Factor)[] s_units =
    [
        ("KIB/S", 1L << 10),
        ("MIB/S", 1L << 20),
        ("GIB/S", 1L << 30),
        ("KB/S", 1e3),
        ("MB/S", 1e6),
        ("GB/S", 1e9),
        ("B/S", 1),
        ("KIBPS", 1L << 10),
        ("MIBPS", 1L << 20),
        ("GIBPS", 1L << 30),
        ("KBPS", 1e3),
        ("MBPS", 1e6),
        ("GBPS", 1e9),
    ];

    private IoRate(double? iops, double? bytesPerSecond)
    {
        Iops = iops;
        BytesPerSecond = bytesPerSecond;
    }

    public IoRate(string text) => this = Parse(text);

    /// <summary>I/Os per second; null when the rate is in bytes.</summary>
    public double? Iops { get; }

    /// <summary>Bytes per second; null when the rate is in I/Os.</summary>
    public double? BytesPerSecond { get; }

    public static IoRate FromIops(double iops) =>
        iops > 0 && double.IsFinite(iops) ? new(iops, null) : throw CreateInvalidRateError(iops.ToString(CultureInfo.InvariantCulture));

    public static IoRate FromBytesPerSecond(double bytesPerSecond) =>
        bytesPerSecond > 0 && double.IsFinite(bytesPerSecond)
            ? new(null, bytesPerSecond)
            : throw CreateInvalidRateError(bytesPerSecond.ToString(CultureInfo.InvariantCulture));

    /// <exception cref="IoBenchException"><c>IoBench.InvalidRate</c>: the text is not a rate or has no unit.</exception>
    public static IoRate Parse(string text) => TryParse(text, out var rate) ? rate : throw CreateInvalidRateError(text);

    public static bool TryParse(string? text, out IoRate rate)
    {
        rate = default;
        var number = text.AsSpan().Trim();
        if (number.EndsWith("IOPS", StringComparison.OrdinalIgnoreCase))
        {
            if (!TryParseNumber(number[..^4], out var iops))
                return false;
            rate = new IoRate(iops, null);
            return true;
        }
        foreach (var (unit, factor) in s_units)
        {
            if (!number.EndsWith(unit, StringComparison.OrdinalIgnoreCase))
                continue;
            if (!TryParseNumber(number[..^unit.Length], out var value))
                return false;
            rate = new IoRate(null, value * factor);
            return true;
        }
        return false;
    }

    public override string ToString() =>
        Iops is { } iops
            ? iops.ToString("0.###", CultureInfo.InvariantCulture) + " IOPS"
            : ((BytesPerSecond ?? 0) / 1e6).ToString("0.######", CultureInfo.InvariantCulture) + " MB/s";

    private static bool TryParseNumber(ReadOnlySpan<char> text, out double value) =>
        double.TryParse(text.Trim(), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out value)
        && value > 0
        && double.IsFinite(value);

    private static IoBenchException CreateInvalidRateError(string text) =>
        IoBenchException.Usage(
            "IoBench.InvalidRate",
            $"'{text}' is not a rate.",
            advice: "Specify a number greater than 0 with its unit, for example 500IOPS, 200MB/s (MB = 10^6 bytes), or 200MiB/s (MiB = 2^20 bytes)."
        );
}
