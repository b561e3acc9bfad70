using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Sizes as DiskSpd prints them: <c>64KiB</c>, <c>1.50GiB</c>, <c>1024MB</c>, <c>1073741824B</c>. Times are always UTC.</summary>
internal static class DiskSpdValueFormat
{
    private static readonly (int Shift, string Name)[] s_units = [(50, "PiB"), (40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];

    /// <summary>Parses a size. <paramref name="exact"/> is false if the size has decimals and is therefore rounded.</summary>
    internal static bool TryParseSize(ReadOnlySpan<char> text, out long bytes, out bool exact)
    {
        bytes = 0;
        exact = true;
        text = text.Trim();
        var unit = 0;
        if (text.EndsWith("bytes", StringComparison.OrdinalIgnoreCase))
            text = text[..^5].TrimEnd();
        else if (text.EndsWith("B", StringComparison.OrdinalIgnoreCase))
            text = text[..^1];
        if (text.EndsWith("i", StringComparison.OrdinalIgnoreCase))
            text = text[..^1];
        if (!text.IsEmpty)
        {
            unit = char.ToUpperInvariant(text[^1]) switch
            {
                'K' => 10,
                'M' => 20,
                'G' => 30,
                'T' => 40,
                'P' => 50,
                _ => 0,
            };
            if (unit > 0)
                text = text[..^1];
        }
        if (
            !decimal.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
            || number > long.MaxValue >> unit
        )
            return false;
        exact = text.IndexOf('.') < 0;
        bytes = (long)(number * (1L << unit));
        return true;
    }

    /// <summary>As DiskSpd 2.1 and 2.2: the largest unit that the size reaches, with two decimals unless it is a multiple.</summary>
    internal static string FormatSize(long bytes, int width = 0)
    {
        foreach (var (shift, name) in s_units)
        {
            var unit = 1L << shift;
            // DiskSpd 2.2 and earlier have no PiB.
            if (bytes < unit || shift == 50)
                continue;
            var number = (bytes & (unit - 1)) == 0 ? NumberFormat.Integer(bytes >> shift) : NumberFormat.Fixed((double)bytes / unit, 2);
            return number.PadLeft(width) + name;
        }
        return NumberFormat.Integer(bytes);
    }

    /// <summary>Formats a size as DiskSpd 2.3 does: with at most two decimals, no trailing zeros, and <c>B</c> below 1 KiB.</summary>
    internal static string FormatSize23(long bytes)
    {
        foreach (var (shift, name) in s_units)
        {
            if (bytes >= 1L << shift)
                return NumberFormat.Plain((double)bytes / (1L << shift), 2) + name;
        }
        return NumberFormat.Integer(bytes) + "B";
    }

    internal static DateTimeOffset? ParseTime(ReadOnlySpan<char> text) =>
        DateTimeOffset.TryParseExact(
            text,
            "yyyy/MM/dd HH:mm:ss 'UTC'",
            CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal,
            out var time
        )
            ? time
            : null;

    internal static string FormatTime(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy/MM/dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture);

    /// <summary>Returns one line for each target with its threads, and one for each range in bytes; null without a distribution.</summary>
    public static string? FormatEffectiveDistribution(IoTestResult result)
    {
        if (result.ToolDetails.TryGetValue(DiskSpdFormat.Distribution, out var read))
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
    internal static bool TryParseDistributionRange(string line, out int percent, out long from, out long to)
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
        return TryParseSize(line.AsSpan((arrow + 12)..dash), out from, out _)
            && TryParseSize(line.AsSpan((dash + 3)..close), out to, out _);
    }

    private const int Width = 9;

    /// <summary>Formats a range in bytes. A null end is the end of the target.</summary>
    internal static string FormatDistributionRange(int percent, long from, long? to, DiskSpdOutputVersion form) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"   {percent, 3}% of IO => [{FormatRangeStart(from, form)} - {FormatRangeEnd(to, form)})"
        );

    private static string FormatRangeStart(long from, DiskSpdOutputVersion form) => from == 0 ? "     0   " : FormatSize(from, form);

    private static string FormatRangeEnd(long? to, DiskSpdOutputVersion form) => to is null ? "      end" : FormatSize(to.Value, form);

    private static string FormatSize(long bytes, DiskSpdOutputVersion form) =>
        form == DiskSpdOutputVersion.Version23 ? FormatSize23(bytes).PadLeft(Width) : FormatSize(bytes, Width - 3);

    /// <summary>Tests whether a line such as <c>target: a.dat [thread: 0 - 3 7]</c> names a thread.</summary>
    internal static bool HasDistributionThread(string line, int thread)
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
