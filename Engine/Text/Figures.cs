using System.Globalization;

namespace IoBench.Engine.Text;

/// <summary>Numbers as text for people, the same in every culture: a point for the decimals, commas between thousands.</summary>
public static class Figures
{
    /// <summary>At most so many decimals, without zeros at the end; from <paramref name="wholeFrom"/> on none, with thousands separated: <c>0.082</c>, <c>95.1</c>, <c>112,640</c>.</summary>
    /// <param name="value">The number.</param>
    /// <param name="decimals">Decimals at most, 0 to 6.</param>
    /// <param name="wholeFrom">From this size on, whatever the sign, decimals say nothing.</param>
    public static string Short(double value, int decimals = 3, double wholeFrom = 1000) =>
        value.ToString(Math.Abs(value) >= wholeFrom ? "#,##0" : s_short[decimals], CultureInfo.InvariantCulture);

    /// <summary>A count or rate: <c>112,640</c>, below 100 with a decimal where there is one: <c>95.1</c>.</summary>
    public static string Rate(double value) => Short(value, 1, 100);

    /// <summary>The same; <paramref name="unknown"/> in place of null.</summary>
    public static string Rate(double? value, string unknown = "") => value is { } number ? Rate(number) : unknown;

    /// <summary>Exactly so many decimals, thousands not separated: <c>1234.500</c>.</summary>
    public static string Fixed(double value, int decimals) => value.ToString(s_fixed[decimals], CultureInfo.InvariantCulture);

    /// <summary>The same; <paramref name="unknown"/> in place of null.</summary>
    public static string Fixed(double? value, int decimals, string unknown = "") => value is { } number ? Fixed(number, decimals) : unknown;

    /// <summary>Exactly so many decimals, thousands separated: <c>1,234.5</c>.</summary>
    public static string Grouped(double value, int decimals = 0) => value.ToString(s_grouped[decimals], CultureInfo.InvariantCulture);

    /// <summary>The same; <paramref name="unknown"/> in place of null.</summary>
    public static string Grouped(double? value, int decimals = 0, string unknown = "") =>
        value is { } number ? Grouped(number, decimals) : unknown;

    /// <summary>A whole number, thousands not separated; null gives nothing.</summary>
    public static string Whole(long? value) => value?.ToString(CultureInfo.InvariantCulture) ?? "";

    /// <summary>A word behind its article: <c>a rate</c>, <c>an access pattern</c>, <c>an IoRate</c>, <c>a UInt64</c>.</summary>
    /// <param name="word">Begins as it is said, but for a u, which is said as in "unit".</param>
    public static string WithArticle(string word)
    {
        ArgumentException.ThrowIfNullOrEmpty(word);
        return (word[0] is 'a' or 'e' or 'i' or 'o' or 'A' or 'E' or 'I' or 'O' ? "an " : "a ") + word;
    }

    /// <summary>How many of something there are, thousands not separated: <c>1 host</c>, <c>12 hosts</c>.</summary>
    /// <param name="number">How many.</param>
    /// <param name="word">One of them; several have an s more.</param>
    public static string Counted(long number, string word) => $"{Whole(number)} {word}{(number == 1 ? "" : "s")}";

    /// <summary>The same with thousands separated: <c>1 error</c>, <c>1,204 reads</c>.</summary>
    /// <param name="number">How many.</param>
    /// <param name="word">One of them; several have an s more.</param>
    public static string CountedGrouped(long number, string word) => $"{Grouped(number)} {word}{(number == 1 ? "" : "s")}";

    /// <summary>Milliseconds with the digits they need and their unit, seconds from 10,000 on: <c>0.082 ms</c>, <c>24 ms</c>, <c>1,158 ms</c>, <c>58.8 s</c>.</summary>
    public static string Milliseconds(double value) =>
        value switch
        {
            >= 10_000 => (value / 1000).ToString("#,##0.#", CultureInfo.InvariantCulture) + " s",
            >= 100 => Grouped(value) + " ms",
            >= 10 => Short(value, 1) + " ms",
            >= 1 => Short(value, 2) + " ms",
            _ => Short(value) + " ms",
        };

    /// <summary>Milliseconds of a latency in a sentence, without the unit: three digits or more below 10, one decimal above, none from 1,000 on; null is <c>?</c>.</summary>
    public static string Wait(double? milliseconds) =>
        milliseconds?.ToString(
            milliseconds >= 1000 ? "#,##0"
                : milliseconds >= 10 ? "0.#"
                : milliseconds >= 1 ? "0.00"
                : "0.00#",
            CultureInfo.InvariantCulture
        ) ?? "?";

    /// <summary>Seconds in the unit people say: <c>30 s</c>, <c>5 min</c>, <c>2 h</c>.</summary>
    public static string Duration(double seconds) =>
        seconds switch
        {
            >= 7200 => Plain(seconds / 3600) + " h",
            >= 180 => Plain(seconds / 60) + " min",
            _ => Plain(seconds) + " s",
        };

    /// <summary>MiB in the unit people say: <c>64 KB</c>, <c>256 MB</c>, <c>90 GB</c>.</summary>
    public static string Size(double megabytes) =>
        megabytes switch
        {
            >= 1024 * 1024 => Plain(megabytes / 1024 / 1024) + " TB",
            >= 1024 => Plain(megabytes / 1024) + " GB",
            >= 1 => Plain(megabytes) + " MB",
            _ => Plain(megabytes * 1024) + " KB",
        };

    /// <summary>At most so many decimals whatever the size, thousands not separated: for machines and axes.</summary>
    public static string Plain(double value, int decimals = 1) => value.ToString(s_short[decimals], CultureInfo.InvariantCulture);

    private static readonly string[] s_short = ["0", "0.#", "0.##", "0.###", "0.####", "0.#####", "0.######"];
    private static readonly string[] s_fixed = ["0", "0.0", "0.00", "0.000", "0.0000", "0.00000", "0.000000"];
    private static readonly string[] s_grouped = ["#,##0", "#,##0.0", "#,##0.00", "#,##0.000"];
}
