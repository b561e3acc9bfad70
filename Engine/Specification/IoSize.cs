using System.Globalization;

namespace IoBench.Engine;

/// <summary>
/// A size in bytes as users write it: <c>8192</c>, <c>8K</c>, <c>8 KB</c>, <c>1.5GB</c>. Units are 1024-based. PowerShell converts numbers
/// and text to this type with the constructors and <see cref="Parse(string)"/>.
/// </summary>
public readonly record struct IoSize : IComparable<IoSize>, IComparable
{
    private static readonly (string Suffix, long Factor)[] s_units =
    [
        ("KIB", 1L << 10),
        ("MIB", 1L << 20),
        ("GIB", 1L << 30),
        ("TIB", 1L << 40),
        ("PIB", 1L << 50),
        ("KB", 1L << 10),
        ("MB", 1L << 20),
        ("GB", 1L << 30),
        ("TB", 1L << 40),
        ("PB", 1L << 50),
        ("K", 1L << 10),
        ("M", 1L << 20),
        ("G", 1L << 30),
        ("T", 1L << 40),
        ("P", 1L << 50),
        ("BYTES", 1),
        ("B", 1),
    ];

    /// <exception cref="IoBenchException">The number is negative.</exception>
    public IoSize(long bytes) =>
        Bytes = bytes >= 0 ? bytes : throw IoBenchException.Usage("IoBench.InvalidSize", $"{bytes} is negative. A size must be 0 or more.");

    public IoSize(int bytes)
        : this((long)bytes) { }

    /// <summary>This overload exists because PowerShell's <c>1.5GB</c> is a double.</summary>
    public IoSize(double bytes)
        : this(FromDouble(bytes)) { }

    public IoSize(string text) => Bytes = Parse(text).Bytes;

    public long Bytes { get; }

    /// <exception cref="IoBenchException"><c>IoBench.InvalidSize</c>.</exception>
    public static IoSize Parse(string text) =>
        TryParse(text, out var size)
            ? size
            : throw IoBenchException.Usage(
                "IoBench.InvalidSize",
                $"'{text}' is not a size.",
                advice: "Specify bytes, or a number with K, M, G, or T, for example 8192, 64KB, or 1.5GB."
            );

    public static bool TryParse(string? text, out IoSize size)
    {
        size = default;
        var number = text.AsSpan().Trim();
        long factor = 1;
        foreach (var (suffix, unit) in s_units)
        {
            if (!number.EndsWith(suffix, StringComparison.OrdinalIgnoreCase))
                continue;
            number = number[..^suffix.Length].TrimEnd();
            factor = unit;
            break;
        }
        // Parse as decimal, so that 1.1GB is exact to the byte and too many digits cause an error instead of rounding.
        if (!decimal.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var value))
            return false;
        if (value > long.MaxValue / factor)
            return false;
        size = new IoSize((long)decimal.Round(value * factor));
        return true;
    }

    /// <summary>Returns the shortest exact form: <c>8KB</c>, <c>1536MB</c>, <c>20GB</c>, <c>1000B</c>.</summary>
    public override string ToString()
    {
        string[] names = ["B", "KB", "MB", "GB", "TB", "PB"];
        var value = Bytes;
        var unit = 0;
        while (unit < names.Length - 1 && value >= 1024 && value % 1024 == 0)
        {
            value /= 1024;
            unit++;
        }
        return value.ToString(CultureInfo.InvariantCulture) + names[unit];
    }

    /// <summary>Formats a size with at most one decimal, such as <c>1.5 GB</c>. <see cref="ToString"/> is exact.</summary>
    public static string Format(long bytes)
    {
        string[] names = ["bytes", "KB", "MB", "GB", "TB", "PB"];
        double value = bytes;
        var unit = 0;
        while (unit < names.Length - 1 && value >= 1024)
        {
            value /= 1024;
            unit++;
        }
        return value.ToString(value >= 100 || value == Math.Floor(value) ? "0" : "0.#", CultureInfo.InvariantCulture) + " " + names[unit];
    }

    // PowerShell uses these operators when a number is on the left: 500MB -lt $size. A size that does not fit causes an error.
    public static explicit operator long(IoSize size) => size.Bytes;

    /// <exception cref="OverflowException">The size is 2 GB or more.</exception>
    public static explicit operator int(IoSize size) => checked((int)size.Bytes);

    public static explicit operator double(IoSize size) => size.Bytes;

    public int CompareTo(IoSize other) => Bytes.CompareTo(other.Bytes);

    /// <summary>PowerShell's -gt and Sort-Object use this overload.</summary>
    int IComparable.CompareTo(object? obj) =>
        obj switch
        {
            null => 1,
            IoSize other => CompareTo(other),
            _ => throw new ArgumentException($"{obj} is not a size.", nameof(obj)),
        };

    public static bool operator <(IoSize left, IoSize right) => left.Bytes < right.Bytes;

    public static bool operator >(IoSize left, IoSize right) => left.Bytes > right.Bytes;

    public static bool operator <=(IoSize left, IoSize right) => left.Bytes <= right.Bytes;

    public static bool operator >=(IoSize left, IoSize right) => left.Bytes >= right.Bytes;

    private static long FromDouble(double bytes) =>
        bytes is >= 0 and < 9.2e18
            ? (long)Math.Round(bytes)
            : throw IoBenchException.Usage(
                "IoBench.InvalidSize",
                $"{bytes.ToString(CultureInfo.InvariantCulture)} is not a size in bytes."
            );
}
