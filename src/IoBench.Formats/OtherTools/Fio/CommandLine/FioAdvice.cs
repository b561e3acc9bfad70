using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Notes about options of fio that IoBench carries out in another way or with another command.</summary>
internal static class FioAdvice
{
    private const string Trigger =
        "iobench verify --witness records acknowledged writes on another computer and lists the writes that a power loss or crash lost";

    private static readonly string[] s_parts =
    [
        "latency_window",
        "latency_percentile",
        "latency_run",
        "trigger-timeout",
        "ss_dur",
        "ss_ramp",
        "ss_interval",
    ];

    /// <summary>Returns whether the option only refines another option, which has the note.</summary>
    internal static bool IsPart(string name) => s_parts.Contains(name);

    /// <summary>Returns what to use instead of an option that is not carried out; null if there is no counterpart.</summary>
    internal static string? GetCounterpart(FioJobDefinition section, string name) =>
        name switch
        {
            "trigger" or "trigger-file" or "trigger-remote" => Trigger,
            "latency_target" => GetLimitSearch(section),
            _ => null,
        };

    /// <summary>fio searches for the highest queue depth that keeps the latency. Its default unit is microseconds.</summary>
    private static string GetLimitSearch(FioJobDefinition section)
    {
        var milliseconds = section.GetTime("latency_target", TimeSpan.FromMicroseconds(1))?.TotalMilliseconds ?? 0;
        var percentile = double.TryParse(
            section.Options["latency_percentile"]?.TrimEnd('%'),
            NumberStyles.Float,
            CultureInfo.InvariantCulture,
            out var percent
        )
            ? percent
            : 100;
        var text = string.Create(
            CultureInfo.InvariantCulture,
            $"iobench limit --max-latency {milliseconds:0.######} --statistic p99 (Measure-IoLimit) searches for the highest rate with a p99 latency of at most {milliseconds:0.######} ms"
        );
        return percentile == 99
            ? text
            : string.Create(CultureInfo.InvariantCulture, $"{text}. The limit of fio applies to {percentile:0.####}% of the I/Os");
    }

    /// <summary>
    /// Sets the rounds of a steady state. fio compares averages of one second within a run. IoBench compares five rounds by the limits of
    /// the
    /// SNIA Performance Test Specification.
    /// </summary>
    internal static void SetSteadyState(IoTestSpecification test, List<FioJobDefinition> group, Action<string> note)
    {
        if (group.Find(section => section.Options["ss"] is { Length: > 0 }) is not { } steady)
            return;
        test.SteadyStateRounds = MaxRounds;
        if (test.Duration > s_longestRound)
            test.Duration = s_longestRound;
        var duration = steady.Options["ss_dur"] is { } length ? $" for {length}{(length.All(char.IsAsciiDigit) ? " s" : "")}" : "";
        note(
            string.Create(
                CultureInfo.InvariantCulture,
                $"ss={steady.Options["ss"]}{duration} becomes --steady-state, which has another criterion. The test runs up to {MaxRounds} rounds of {test.Duration.TotalSeconds:0} s, and ends when the IOPS of five rounds have a range of at most 20% and a slope of at most 10% of their average"
            )
        );
    }

    private const int MaxRounds = 25;

    private static readonly TimeSpan s_longestRound = TimeSpan.FromMinutes(1);
}
