using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Effective distributions (-rd) in DiskSpd's lines: the ranges that the I/Os really used.</summary>
internal static class DiskSpdDistributionFormat
{
    /// <summary>Returns one line for each target with its threads, and one for each range in bytes; null without a distribution.</summary>
    public static string? FormatEffective(IoTestResult result)
    {
        if (result.ToolDetails.TryGetValue(DiskSpdPropertyNames.Distribution, out var read))
            return read;
        if (
            result.Source != IoTestResult.OwnSource
            || result.Specification is not { } test
            || test.GetOrAddOrigin().DiskSpd is null
            || test.Targets.Count != result.Targets.Count
        )
            return null;
        var text = new StringBuilder();
        var first = 0;
        foreach (var (target, made) in test.Targets.Zip(result.Targets))
        {
            var threads = test.SharedThreadPool
                ? result.Threads.Select(t => t.ThreadId).Distinct()
                : result.Threads.Skip(first).Take(made.ThreadCount ?? 0).Select(t => t.ThreadId);
            first += made.ThreadCount ?? 0;
            var pattern = test.GetPattern(target);
            if (pattern.Distribution.Count == 0 || made.FileSizeMB is not { } megabytes)
                continue;
            var parts = IoDistribution.GetEffectiveParts(target, pattern, (long)(megabytes * 1048576), out var placed);
            text.Append(CultureInfo.InvariantCulture, $"target: {made.Path} [thread:{FormatThreads([.. threads])}]\n");
            foreach (var (percent, from, to) in parts)
                text.Append(CultureInfo.InvariantCulture, $"{FormatPercent(percent, placed)}% of IO => [{from} - {to})\n");
        }
        return text.Length == 0 ? null : text.ToString().TrimEnd('\n');
    }

    /// <summary>Formats a whole percentage. It has one decimal if ranges were dropped and the others are therefore scaled up.</summary>
    private static string FormatPercent(int percent, int placed) =>
        placed == 100
            ? percent.ToString(CultureInfo.InvariantCulture)
            : (100.0 * percent / placed).ToString("0.0", CultureInfo.InvariantCulture);

    /// <summary>Formats thread numbers as DiskSpd does: <c> 0 1</c>, and more than two consecutive numbers as <c> 0 - 3 7</c>.</summary>
    private static string FormatThreads(List<int> threads)
    {
        var text = new StringBuilder();
        for (var i = 0; i < threads.Count; i++)
        {
            var first = i;
            while (i + 1 < threads.Count && threads[i + 1] == threads[i] + 1)
                i++;
            text.Append(CultureInfo.InvariantCulture, $" {threads[first]}");
            if (i > first)
                text.Append(CultureInfo.InvariantCulture, $"{(i > first + 1 ? " -" : "")} {threads[i]}");
        }
        return text.ToString();
    }

    /// <summary>Parses a line such as <c>90% of IO =&gt; [ 0 - 10MiB)</c> of DiskSpd's text, or with sizes in bytes of its XML.</summary>
    internal static bool TryParseRange(string line, out int percent, out long from, out long to)
    {
        percent = 0;
        from = 0;
        to = 0;
        var arrow = line.IndexOf("% of IO => [", StringComparison.Ordinal);
        var dash = line.IndexOf(" - ", StringComparison.Ordinal);
        var close = line.IndexOf(')', StringComparison.Ordinal);
        if (
            arrow < 0
            || dash < arrow + 12
            || close < dash
            || ToolNumberParser.ParseLeadingInt32(line.AsSpan(0, arrow)) is not int share
            || line.AsSpan(0, arrow).Contains('.')
        )
            return false;
        percent = share;
        return DiskSpdValueFormat.TryParseSize(line.AsSpan((arrow + 12)..dash), out from, out _)
            && DiskSpdValueFormat.TryParseSize(line.AsSpan((dash + 3)..close), out to, out _);
    }

    private const int Width = 9;

    /// <summary>Formats a range in bytes. A null end is the end of the target.</summary>
    internal static string FormatRange(int percent, long from, long? to, DiskSpdOutputVersion form) =>
        string.Create(CultureInfo.InvariantCulture, $"   {percent, 3}% of IO => [{FormatStart(from, form)} - {FormatEnd(to, form)})");

    private static string FormatStart(long from, DiskSpdOutputVersion form) => from == 0 ? "     0   " : FormatSize(from, form);

    private static string FormatEnd(long? to, DiskSpdOutputVersion form) => to is null ? "      end" : FormatSize(to.Value, form);

    private static string FormatSize(long bytes, DiskSpdOutputVersion form) =>
        form == DiskSpdOutputVersion.Version23
            ? DiskSpdValueFormat.FormatSize23(bytes).PadLeft(Width)
            : DiskSpdValueFormat.FormatSize(bytes, Width - 3);

    /// <summary>Tests whether a line such as <c>target: a.dat [thread: 0 - 3 7]</c> names a thread.</summary>
    internal static bool HasThread(string line, int thread)
    {
        var list = line[(line.LastIndexOf("[thread:", StringComparison.Ordinal) + 8)..]
            .Trim(' ', ']')
            .Split(' ', StringSplitOptions.RemoveEmptyEntries);
        for (var i = 0; i < list.Length; i++)
        {
            if (ToolNumberParser.ParseLeadingInt32(list[i]) is not int number)
                continue;
            var isRange = i + 2 < list.Length && list[i + 1] == "-";
            if (number == thread || (isRange && number < thread && thread <= ToolNumberParser.ParseLeadingInt32(list[i + 2])))
                return true;
        }
        return false;
    }
}
