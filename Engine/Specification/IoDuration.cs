using System.Globalization;

namespace IoBench.Engine;

/// <summary>
/// A duration as users write it: <c>30</c> (seconds), <c>90s</c>, <c>5m</c>, <c>1.5h</c>, <c>250ms</c>, <c>00:05:00</c>. Culture-invariant.
/// PowerShell's own conversions mislead: <c>[TimeSpan]30</c> is 3 microseconds and <c>[TimeSpan]'30'</c> is 30 days.
/// </summary>
public readonly record struct IoDuration : IComparable<IoDuration>, IComparable
{
    // 366 days, in seconds.
    private const double Longest = 366 * 86400.0;

    private static readonly (string Suffix, double Seconds)[] s_units =
    [
        ("ms", 0.001),
        ("sec", 1),
        ("min", 60),
        ("s", 1),
        ("m", 60),
        ("h", 3600),
        ("d", 86400),
    ];

    /// <exception cref="IoBenchException">The number is negative, not a number, or longer than a year.</exception>
    public IoDuration(double seconds) =>
        TotalSeconds = seconds is >= 0 and <= Longest
            ? seconds
            : throw IoBenchException.Usage(
                "IoBench.InvalidDuration",
                $"{seconds.ToString(CultureInfo.InvariantCulture)} is out of range for a duration. Use 0 seconds to 1 year."
            );

    public IoDuration(int seconds)
        : this((double)seconds) { }

    public IoDuration(TimeSpan span)
        : this(span.TotalSeconds) { }

    public IoDuration(string text)
        : this(Parse(text).TotalSeconds) { }

    public double TotalSeconds { get; }

    public TimeSpan TimeSpan => TimeSpan.FromSeconds(TotalSeconds);

    /// <exception cref="IoBenchException"><c>IoBench.InvalidDuration</c>.</exception>
    public static IoDuration Parse(string text) =>
        TryParse(text, out var duration)
            ? duration
            : throw IoBenchException.Usage(
                "IoBench.InvalidDuration",
                $"'{text}' is not a duration.",
                advice: "Specify seconds, or a number with s, m, or h, for example 30, 90s, 5m, or 00:05:00."
            );

    public static bool TryParse(string? text, out IoDuration duration)
    {
        duration = default;
        var number = text.AsSpan().Trim();
        double seconds;
        if (number.Contains(':'))
        {
            if (!TimeSpan.TryParse(number, CultureInfo.InvariantCulture, out var span))
                return false;
            seconds = span.TotalSeconds;
        }
        else
        {
            var factor = 1.0;
            foreach (var (suffix, unit) in s_units)
            {
                if (!number.EndsWith(suffix, StringComparison.OrdinalIgnoreCase))
                    continue;
                number = number[..^suffix.Length].TrimEnd();
                factor = unit;
                break;
            }
            if (!double.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out seconds))
                return false;
            seconds *= factor;
        }
        if (seconds is not (>= 0 and <= Longest))
            return false;
        duration = new IoDuration(seconds);
        return true;
    }

    public override string ToString() => TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture) + "s";

    public int CompareTo(IoDuration other) => TotalSeconds.CompareTo(other.TotalSeconds);

    /// <summary>PowerShell's -gt and Sort-Object use this overload.</summary>
    int IComparable.CompareTo(object? obj) =>
        obj switch
        {
            null => 1,
            IoDuration other => CompareTo(other),
            _ => throw new ArgumentException($"{obj} is not a duration.", nameof(obj)),
        };

    public static bool operator <(IoDuration left, IoDuration right) => left.TotalSeconds < right.TotalSeconds;

    public static bool operator >(IoDuration left, IoDuration right) => left.TotalSeconds > right.TotalSeconds;

    public static bool operator <=(IoDuration left, IoDuration right) => left.TotalSeconds <= right.TotalSeconds;

    public static bool operator >=(IoDuration left, IoDuration right) => left.TotalSeconds >= right.TotalSeconds;
}
