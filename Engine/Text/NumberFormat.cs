using System.Globalization;

namespace IoBench.Engine;

/// <summary>Formats numbers for display, the same in every culture: a point for decimals, commas between thousands.</summary>
public static class NumberFormat
{
    /// <summary>
    /// At most the given decimals, without trailing zeros, none for large values: <c>0.082</c>, <c>95.1</c>, <c>112,640</c>.
    /// </summary>
    /// <param name="wholeFrom">Absolute value from which decimals are omitted.</param>
    public static string Short(double value, int decimals = 3, double wholeFrom = 1000) =>
        value.ToString(Math.Abs(value) >= wholeFrom ? "#,##0" : s_short[decimals], CultureInfo.InvariantCulture);

    /// <summary>Formats a count or rate: <c>112,640</c>; below 100 with at most one decimal: <c>95.1</c>.</summary>
    public static string Rate(double value) => Short(value, 1, 100);

    public static string Rate(double? value, string unknown = "") => value is { } number ? Rate(number) : unknown;

    /// <summary>Formats with exactly the given decimals, without grouping: <c>1234.500</c>.</summary>
    public static string Fixed(double value, int decimals) => value.ToString(s_fixed[decimals], CultureInfo.InvariantCulture);

    public static string Fixed(double? value, int decimals, string unknown = "") => value is { } number ? Fixed(number, decimals) : unknown;

    /// <summary>Formats with exactly the given decimals and grouped thousands: <c>1,234.5</c>.</summary>
    public static string Grouped(double value, int decimals = 0) => value.ToString(s_grouped[decimals], CultureInfo.InvariantCulture);

    public static string Grouped(double? value, int decimals = 0, string unknown = "") =>
        value is { } number ? Grouped(number, decimals) : unknown;

    public static string Integer(long? value) => value?.ToString(CultureInfo.InvariantCulture) ?? "";

    /// <summary>Returns <c>a rate</c>, <c>an access pattern</c>, <c>a UInt64</c>. An initial u is pronounced as in "unit".</summary>
    public static string WithArticle(string word)
    {
        ArgumentException.ThrowIfNullOrEmpty(word);
        return (word[0] is 'a' or 'e' or 'i' or 'o' or 'A' or 'E' or 'I' or 'O' ? "an " : "a ") + word;
    }

    /// <summary>Returns a text such as <c>oltp, checkpoint, tempdb and 1 more</c>.</summary>
    public static string List<T>(IReadOnlyCollection<T> names, int max, string separator = ", ")
    {
        ArgumentNullException.ThrowIfNull(names);
        return string.Join(separator, names.Take(max)) + (names.Count > max ? $" and {Integer(names.Count - max)} more" : "");
    }

    /// <summary>Without grouping: <c>1 host</c>, <c>12 hosts</c>.</summary>
    public static string Pluralize(long number, string word) => $"{Integer(number)} {word}{(number == 1 ? "" : "s")}";

    /// <summary>With grouped thousands: <c>1 error</c>, <c>1,204 reads</c>.</summary>
    public static string PluralizeGrouped(long number, string word) => $"{Grouped(number)} {word}{(number == 1 ? "" : "s")}";

    /// <summary>With the unit, from 10,000 on in seconds: <c>0.082 ms</c>, <c>24 ms</c>, <c>1,158 ms</c>, <c>58.8 s</c>.</summary>
    public static string Milliseconds(double value) =>
        value switch
        {
            >= 10_000 => (value / 1000).ToString("#,##0.#", CultureInfo.InvariantCulture) + " s",
            >= 100 => Grouped(value) + " ms",
            >= 10 => Short(value, 1) + " ms",
            >= 1 => Short(value, 2) + " ms",
            _ => Short(value) + " ms",
        };

    private const double MaxPercent = 1000;

    /// <summary>A share: <c>98.4%</c>, <c>105%</c>; from 1,000% on as a multiple: <c>13 times</c>.</summary>
    public static string Share(double percent) =>
        Math.Abs(percent) >= MaxPercent ? $"{Rate(percent / 100)} times" : $"{Short(percent, 1, 100)}%";

    /// <summary>A relative change with its sign: <c>+12.3%</c>; from +1,000% on as a multiple of the first value: <c>13
    /// times</c>.</summary>
    public static string Change(double percent) =>
        percent >= MaxPercent ? $"{Rate(1 + percent / 100)} times" : percent.ToString("+0.0;-0.0;0.0", CultureInfo.InvariantCulture) + "%";

    /// <summary>Without the unit: two or three decimals below 10, one above, none from 1,000 on; <c>?</c> for null.</summary>
    public static string Latency(double? milliseconds) =>
        milliseconds switch
        {
            null => "?",
            >= 1000 => milliseconds.Value.ToString("#,##0", CultureInfo.InvariantCulture),
            >= 10 => milliseconds.Value.ToString("0.#", CultureInfo.InvariantCulture),
            >= 1 => milliseconds.Value.ToString("0.00", CultureInfo.InvariantCulture),
            _ => milliseconds.Value.ToString("0.00#", CultureInfo.InvariantCulture),
        };

    /// <summary>A price with at most two decimals, without a currency.</summary>
    public static string Price(double value) => value.ToString("#,##0.##", CultureInfo.InvariantCulture);

    public static string Duration(double seconds) =>
        seconds switch
        {
            >= 7200 => Plain(seconds / 3600) + " h",
            >= 180 => Plain(seconds / 60) + " min",
            _ => Plain(seconds) + " s",
        };

    public static string Size(double megabytes) =>
        megabytes switch
        {
            >= 1024 * 1024 => Plain(megabytes / 1024 / 1024) + " TB",
            >= 1024 => Plain(megabytes / 1024) + " GB",
            >= 1 => Plain(megabytes) + " MB",
            _ => Plain(megabytes * 1024) + " KB",
        };

    public static string Plain(double value, int decimals = 1) => value.ToString(s_short[decimals], CultureInfo.InvariantCulture);

    private static readonly string[] s_short = ["0", "0.#", "0.##", "0.###", "0.####", "0.#####", "0.######"];
    private static readonly string[] s_fixed = ["0", "0.0", "0.00", "0.000", "0.0000", "0.00000", "0.000000"];
    private static readonly string[] s_grouped = ["#,##0", "#,##0.0", "#,##0.00", "#,##0.000"];
}
