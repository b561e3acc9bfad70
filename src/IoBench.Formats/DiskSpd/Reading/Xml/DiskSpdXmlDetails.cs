using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Converts XML data beyond rates and latency to lines like those of DiskSpd's text.</summary>
internal static class DiskSpdXmlDetails
{
    /// <summary>Returns whether the text is empty, or what Windows prints for 0 / 0, such as -nan(ind) and -1.#IND.</summary>
    internal static bool IsNoNumber(string text) =>
        string.IsNullOrWhiteSpace(text)
        || text.Contains("nan", StringComparison.OrdinalIgnoreCase)
        || text.Contains("#IND", StringComparison.OrdinalIgnoreCase);

    /// <summary>Also parses negative numbers. They are impossible, and <see cref="ResultValidator"/> removes them with a warning.</summary>
    internal static double? ParseReal(string? text)
    {
        if (text is null)
            return null;
        if (ToolNumberParser.ParseReal(text) is { } number)
            return number;
        return double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var other) && double.IsFinite(other)
            ? other
            : null;
    }

    private const int MaxCharacters = 64 * 1024;

    internal static void AddWaits(DiskSpdXmlElement waits, int thread, DiskSpdTimespan span)
    {
        var row = new DiskSpdWaitStatistics(
            thread,
            GetCount(waits, "CompletionWait"),
            GetCount(waits, "ThrottleWait"),
            GetCount(waits, "ThrottleSleep"),
            waits.GetText("WaitCompletion") ?? "",
            GetCount(waits, "Lookaside"),
            waits.GetText("LookasideCompletion") ?? ""
        );
        if (row.WaitCompletions.Length == 0)
        {
            AppendRow(span, DiskSpdPropertyNames.Waits, DiskSpdWaitStatistics.Header, row.FormatRow());
            return;
        }
        AppendRow(
            span,
            DiskSpdPropertyNames.CompletionWaits,
            DiskSpdWaitStatistics.ThrottledHeader,
            row.FormatCompletionRow(hasThrottled: true)
        );
        if (row.LookasideCompletions.Length > 0)
            AppendRow(span, DiskSpdPropertyNames.Lookasides, DiskSpdWaitStatistics.LookasideHeader, row.FormatLookasideRow());
    }

    /// <summary>Adds the IoRing submissions of a thread. The XML has a count, the text a rate.</summary>
    internal static void AddSubmits(long count, int thread, DiskSpdTimespan span)
    {
        if (span.Seconds > 0)
            AppendRow(
                span,
                DiskSpdPropertyNames.IoRing,
                DiskSpdIoRingStatistics.Header,
                DiskSpdIoRingStatistics.FormatRow(thread, count / span.Seconds.Value)
            );
    }

    internal static void AddAffinity(DiskSpdXmlElement affinity, DiskSpdTimespan span)
    {
        var processors = new List<int>();
        foreach (var group in affinity.Children)
            DiskSpdProcessorLists.ReadGroupMask(group, processors);
        if (processors.Count > 0)
            span.Details[DiskSpdPropertyNames.EffectiveAffinity] = DiskSpdProcessorLists.FormatList(processors);
    }

    private static void AppendRow(DiskSpdTimespan span, string name, string header, string row)
    {
        span.Details.TryAdd(name, header);
        AppendLine(span, name, row);
    }

    internal static void AddEtwCounters(DiskSpdXmlElement tree, DiskSpdTimespan span) => AddEtwCounters(tree, tree.Name, "", span);

    private static void AddEtwCounters(DiskSpdXmlElement tree, string name, string path, DiskSpdTimespan span)
    {
        foreach (var child in tree.Children)
        {
            if (child.Children.Count == 0)
                AppendLine(span, name, $"{path}{child.Name}: {child.Text}");
            else
                AddEtwCounters(child, name, path + child.Name + " ", span);
        }
    }

    /// <summary>Adds the ranges of a thread's I/Os, once for all threads of a target that have the same ranges.</summary>
    internal static void AddDistribution(DiskSpdXmlElement distribution, IoThreadResult thread, DiskSpdTimespan span)
    {
        var lines = new StringBuilder();
        long from = 0;
        foreach (var range in distribution["Absolute"]?.Children ?? [])
        {
            var share = range.GetAttribute("IO");
            if (
                ToolNumberParser.ParseInteger(range.Text) is not long length
                || ToolNumberParser.ParseLeadingInt32(share) is not int percent
                || from > long.MaxValue - length
            )
                return;
            if (percent > 0)
                lines.Append('\n').Append(CultureInfo.InvariantCulture, $"{percent}% of IO => [{from} - {from + length})");
            from += length;
        }
        var text = lines.ToString();
        var all = span.Details.GetValueOrDefault(DiskSpdPropertyNames.Distribution) ?? "";
        // Threads are in ascending order, so only the last entry can be extended.
        var last = all.LastIndexOf("target: ", StringComparison.Ordinal);
        var begin = $"target: {thread.Path} [thread: ";
        if (last >= 0 && all[last..].StartsWith(begin, StringComparison.Ordinal) && all.EndsWith("]" + text, StringComparison.Ordinal))
        {
            var close = all.Length - text.Length - 1;
            span.Details[DiskSpdPropertyNames.Distribution] = $"{all[..close]} {thread.ThreadId}{all[close..]}";
            return;
        }
        AppendLine(span, DiskSpdPropertyNames.Distribution, $"{begin}{thread.ThreadId}]{text}");
    }

    private static void AppendLine(DiskSpdTimespan span, string name, string line)
    {
        var text = span.Details.GetValueOrDefault(name);
        if (text is null || text.Length < MaxCharacters)
            span.Details[name] = text is null ? line : text + "\n" + line;
    }

    private static string GetCount(DiskSpdXmlElement element, string name) => element.GetText(name) is { Length: > 0 } text ? text : "0";
}
