using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Kind of an option's value: notation, type in scripts, and conversion to the engine's type. Text is parsed with the invariant
/// culture and case-insensitively.</summary>
public sealed class OptionKind
{
    private readonly Func<object, string> _write;
    private readonly Func<object, Func<string, string>, object> _read;

    internal OptionKind(
        string name,
        string valueName,
        Type type,
        Func<object, Func<string, string>, object> read,
        Func<object, string>? write = null
    )
    {
        Name = name;
        ValueName = valueName;
        Type = type;
        _read = read;
        _write = write ?? (value => System.Convert.ToString(value, CultureInfo.InvariantCulture) ?? "");
    }

    /// <summary>Name of the kind for tables: <c>size</c>, <c>duration</c>.</summary>
    public string Name { get; }

    /// <summary>Placeholder of the value in CLI help: <c>SIZE</c>.</summary>
    public string ValueName { get; }

    /// <summary>Type of a cmdlet parameter of this kind.</summary>
    public Type Type { get; }

    /// <summary>Allowed or suggested names; empty if there are none.</summary>
    public IReadOnlyList<string> Allowed { get; internal init; } = [];

    /// <summary>True if a value of this kind never contains a comma, so that a comma separates values.</summary>
    internal bool IsSplitAtCommas =>
        this != Text && this != Path && this != PathOrEndpoint && this != Affinity && this != Content && this != BlockMix && this != Day;

    /// <summary>Number of bytes: <c>8192</c>, <c>64KB</c>. Converted to <see cref="long"/>.</summary>
    public static OptionKind Size { get; } =
        new("size", "SIZE", typeof(IoSize), (value, _) => ReadSize(value), value => new IoSize((long)value).ToString());

    /// <summary>Duration: <c>30</c> (seconds), <c>5m</c>. Converted to <see cref="TimeSpan"/>.</summary>
    public static OptionKind Duration { get; } =
        new(
            "duration",
            "TIME",
            typeof(IoDuration),
            (value, _) =>
                value switch
                {
                    IoDuration time => time.TimeSpan,
                    TimeSpan span => new IoDuration(span).TimeSpan,
                    string text => IoDuration.Parse(text).TimeSpan,
                    _ => new IoDuration(ToDouble(value)).TimeSpan,
                },
            value => new IoDuration((TimeSpan)value).ToString()
        );

    public static OptionKind Integer { get; } = new("integer", "N", typeof(int), (value, _) => ToInt32(value));

    /// <summary>Whole number of percent: <c>30</c> or <c>30%</c>.</summary>
    public static OptionKind Percent { get; } =
        new("integer", "N", typeof(int), (value, _) => ToInt32(value is string text ? text.Trim().TrimEnd('%') : value));

    /// <summary>Number of threads, or Auto for one thread per logical processor.</summary>
    public static OptionKind Threads { get; } =
        new("integer or Auto", "N", typeof(string), (value, _) => ReadThreads(value)) { Allowed = [] };

    public static OptionKind Number { get; } = new("number", "N", typeof(double), (value, _) => ToDouble(value));

    /// <summary>Latency limit: <c>5</c> (milliseconds), <c>5ms</c>, <c>15s</c>. Converted to milliseconds.</summary>
    public static OptionKind Milliseconds { get; } = new("milliseconds", "MS", typeof(double), (value, _) => ReadMilliseconds(value));

    /// <summary>Number of times: <c>2x</c>, <c>2</c>, <c>0.5x</c>.</summary>
    public static OptionKind Times { get; } =
        new(
            "number of times",
            "Nx",
            typeof(string),
            (value, _) => ToDouble(value is string text ? text.Trim().TrimEnd('x', 'X') : value),
            value => Invariant($"{value}x")
        );

    /// <summary>Whole number from 0 to 2^64 - 1.</summary>
    public static OptionKind Seed { get; } = new("integer", "N", typeof(ulong), (value, _) => ReadSeed(value));

    /// <summary>Rate with its unit: <c>500IOPS</c>, <c>200MB/s</c>.</summary>
    public static OptionKind Rate { get; } =
        new("rate", "RATE", typeof(IoRate), (value, _) => value is IoRate rate ? rate : IoRate.Parse(ToText(value)));

    public static OptionKind Text { get; } = new("text", "TEXT", typeof(string), (value, _) => ToText(value));

    /// <summary>Day, with or without a time: <c>2026-01-31</c>. Converted to <see cref="DateTimeOffset"/>.</summary>
    public static OptionKind Day { get; } =
        new(
            "day",
            "DATE",
            typeof(DateTime),
            (value, _) =>
                value switch
                {
                    DateTimeOffset day => day,
                    DateTime time => new DateTimeOffset(time),
                    _ => ReadDay(ToText(value)),
                },
            value => ((DateTimeOffset)value).ToString("O", CultureInfo.InvariantCulture)
        );

    public static OptionKind Path { get; } = new("path", "PATH", typeof(string), (value, fullPath) => fullPath(ToText(value)));

    /// <summary>File, or host and port of a service. The latter is not resolved as a path.</summary>
    public static OptionKind PathOrEndpoint { get; } =
        new(
            "path",
            "FILE|HOST:PORT",
            typeof(string),
            (value, fullPath) => WitnessAddress.IsEndpoint(ToText(value)) ? ToText(value) : fullPath(ToText(value))
        );

    /// <summary>True for numbers that some cultures write with a decimal comma.</summary>
    public bool IsDecimal => this == Number || this == Duration || this == Times || this == Milliseconds;

    public static OptionKind Flag { get; } = new("flag", "", typeof(bool), (value, _) => value is bool flag ? flag : ReadFlag(value));

    /// <summary>Content of written blocks: a name or a file.</summary>
    public static OptionKind Content { get; } =
        new("name or path", "NAME|FILE", typeof(string), (value, fullPath) => WriteContentChoice.Parse(ToText(value), fullPath))
        {
            Allowed = [nameof(IoWriteContentKind.Random), nameof(IoWriteContentKind.Zero), nameof(IoWriteContentKind.Pattern)],
        };

    /// <summary>Processors: Off, RoundRobin, or numbers such as <c>0-3,8</c>.</summary>
    public static OptionKind Affinity { get; } =
        new("processors", "LIST", typeof(string), (value, _) => AffinityChoice.Parse(value))
        {
            Allowed = [nameof(IoAffinityMode.Off), nameof(IoAffinityMode.RoundRobin)],
        };

    /// <summary>Distribution such as <c>zipf:1.1</c>, or one range of it: <c>90/10</c> is percent of the I/Os / percent of the
    /// file.</summary>
    public static OptionKind DistributionPart { get; } =
        new(
            "distribution",
            "IO/RANGE|zipf:N|pareto:N",
            typeof(string),
            (value, _) => value is IoDistribution or IoDistributionRange ? value : ReadDistribution(ToText(value)),
            value =>
                value switch
                {
                    IoDistributionRange range => FormatRange(range),
                    IoDistribution { Ranges: { Count: > 0 } ranges } => "zoned:" + string.Join(':', ranges.Select(FormatRange)),
                    _ => value.ToString()!,
                }
        );

    /// <summary>Several block sizes with their percentages: <c>8KB:60,64KB:40</c>. Reads and writes can have different sizes.</summary>
    public static OptionKind BlockMix { get; } =
        new("sizes and shares", "MIX", typeof(string), (value, _) => value as IoBlockMix ?? IoBlockMix.Parse(ToText(value)));

    /// <param name="names">Allowed members; empty for all.</param>
    public static OptionKind ForEnum<T>(params T[] names)
        where T : struct, Enum
    {
        var allowed = names.Length > 0 ? [.. names.Select(name => name.ToString())] : Enum.GetNames<T>();
        return new OptionKind("name", "NAME", typeof(T), (value, _) => value is T typed ? typed : ReadName<T>(ToText(value), allowed))
        {
            Allowed = allowed,
        };
    }

    /// <summary>Creates a kind for a list of names that is not an enumeration. The value is the name as it is in the list.</summary>
    public static OptionKind ForNames(IReadOnlyList<string> names) =>
        new("name", "NAME", typeof(string), (value, _) => FindName(ToText(value), names)) { Allowed = names };

    /// <param name="value">Text, or a value of an equivalent type; never null.</param>
    public object ParseValue(object value, Func<string, string>? fullPath = null) => _read(value, fullPath ?? (path => path));

    /// <summary>Formats a value of <see cref="ParseValue"/> as text that <see cref="ParseValue"/> converts to the same value.</summary>
    public string FormatValue(object value) => _write(value);

    public override string ToString() => Name;

    internal static string ToText(object value) => (System.Convert.ToString(value, CultureInfo.InvariantCulture) ?? "").Trim();

    private static int ToInt32(object value)
    {
        if (value is int integer)
            return integer;
        var text = ToText(value);
        if (int.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var number))
            return number;
        // A column that was read by Import-Csv or from a spreadsheet can contain 8.0.
        if (
            double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var real)
            && real == Math.Floor(real)
            && Math.Abs(real) < int.MaxValue
        )
            return (int)real;
        throw IoBenchException.Usage("IoBench.InvalidNumber", $"'{text}' is not a whole number.");
    }

    private static long ToInt64(object value) => System.Convert.ToInt64(value, CultureInfo.InvariantCulture);

    private static double ToDouble(object value) =>
        double.TryParse(ToText(value), NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && double.IsFinite(number)
            ? number
            : throw IoBenchException.Usage("IoBench.InvalidNumber", $"'{ToText(value)}' is not a number.");

    private static object ReadMilliseconds(object value) =>
        value is string { Length: > 0 } text && char.IsLetter(text[^1]) && IoDuration.TryParse(text, out var duration)
            ? duration.TotalSeconds * 1000
            : ToDouble(value);

    private static object ReadSize(object value) =>
        value switch
        {
            IoSize size => size.Bytes,
            int or long => new IoSize(ToInt64(value)).Bytes,
            // A number without a unit is a number of bytes, so a fraction is a mistake.
            _ when double.TryParse(ToText(value), NumberStyles.Float, CultureInfo.InvariantCulture, out var bytes)
                    && bytes != Math.Floor(bytes) => throw IoBenchException.Usage(
                "IoBench.InvalidSize",
                $"'{ToText(value)}' is not a whole number of bytes.",
                advice: $"Add a unit, as in {ToText(value)}KB."
            ),
            string text => IoSize.Parse(text).Bytes,
            _ => new IoSize(ToDouble(value)).Bytes,
        };

    private static object ReadSeed(object value) =>
        ulong.TryParse(ToText(value), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? number
            : throw IoBenchException.Usage(
                "IoBench.InvalidNumber",
                $"'{ToText(value)}' is not a valid seed. Use a whole number, 0 or greater."
            );

    private static object ReadThreads(object value)
    {
        var text = ToText(value);
        if (text.Equals("auto", StringComparison.OrdinalIgnoreCase))
            return Math.Clamp(Environment.ProcessorCount, 1, SpecificationValidator.MaxThreads);
        return int.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var number)
            ? number
            : throw IoBenchException.Usage(
                "IoBench.InvalidThreadCount",
                $"'{text}' is not a thread count.",
                text,
                advice: $"Use 1 to {SpecificationValidator.MaxThreads}, or Auto for one thread per logical processor."
            );
    }

    private static DateTimeOffset ReadDay(string text) =>
        DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal, out var day)
            ? day
            : throw IoBenchException.Usage("IoBench.InvalidDate", $"'{text}' is not a date. Use the format 2026-01-31.", text);

    private static object ReadFlag(object value) =>
        ToText(value).ToUpperInvariant() switch
        {
            "TRUE" or "YES" or "1" => true,
            "FALSE" or "NO" or "0" => false,
            var other => throw IoBenchException.Usage("IoBench.InvalidFlag", $"'{other.ToLowerInvariant()}' is neither true nor false."),
        };

    private static object ReadName<T>(string text, IReadOnlyList<string> allowed)
        where T : struct, Enum => Enum.Parse<T>(FindName(text, allowed));

    /// <summary>Ignores case and hyphens. Numbers are refused, although Enum.Parse would accept them.</summary>
    private static string FindName(string text, IReadOnlyList<string> allowed)
    {
        static string RemoveHyphens(string name) => name.Replace("-", "", StringComparison.Ordinal);
        var wanted = RemoveHyphens(text);
        return allowed.FirstOrDefault(name => RemoveHyphens(name).Equals(wanted, StringComparison.OrdinalIgnoreCase))
            ?? throw IoBenchException.Usage(
                "IoBench.InvalidName",
                $"'{text}' is not one of {string.Join(", ", allowed.Select(name => name.ToLowerInvariant()))}.",
                text
            );
    }

    private static string FormatRange(IoDistributionRange range) => Invariant($"{range.IOPercent}/{range.TargetPart}");

    private static object ReadDistribution(string text) =>
        text.Contains(':', StringComparison.Ordinal) ? IoDistribution.Parse(text) : IoDistributionRange.Parse(text);
}
