using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Converts XML data beyond rates and latency to lines like those of DiskSpd's text.</summary>
internal static class XmlDetails
{
    private const int MaxCharacters = 64 * 1024;

    internal static void AddWaits(XmlTree waits, int thread, DiskSpdSpan span)
    {
        var row = new WaitStatistics(
            thread,
            Count(waits, "CompletionWait"),
            Count(waits, "ThrottleWait"),
            Count(waits, "ThrottleSleep"),
            waits.TextOf("WaitCompletion") ?? "",
            Count(waits, "Lookaside"),
            waits.TextOf("LookasideCompletion") ?? ""
        );
        if (row.WaitCompletions.Length == 0)
        {
            AppendRow(span, DetailNames.Waits, WaitStatistics.Header, row.Row());
            return;
        }
        AppendRow(span, DetailNames.CompletionWaits, WaitStatistics.ThrottledHeader, row.CompletionRow(hasThrottled: true));
        if (row.LookasideCompletions.Length > 0)
            AppendRow(span, DetailNames.Lookasides, WaitStatistics.LookasideHeader, row.LookasideRow());
    }

    /// <summary>Adds the IoRing submissions of a thread. The XML has a count, the text a rate.</summary>
    internal static void AddSubmits(long count, int thread, DiskSpdSpan span)
    {
        if (span.Seconds > 0)
            AppendRow(span, DetailNames.IoRing, IoRingTable.Header, IoRingTable.Row(thread, count / span.Seconds.Value));
    }

    internal static void AddAffinity(XmlTree affinity, DiskSpdSpan span)
    {
        var processors = new List<int>();
        foreach (var group in affinity.Children)
            GroupMask.TryRead(group, processors);
        if (processors.Count > 0)
            span.Details[DetailNames.EffectiveAffinity] = AffinityText.Entries(processors);
    }

    private static void AppendRow(DiskSpdSpan span, string name, string header, string row)
    {
        span.Details.TryAdd(name, header);
        Append(span, name, row);
    }

    /// <summary>Adds ETW counters, one line each with the names of their elements.</summary>
    internal static void AddTree(XmlTree tree, DiskSpdSpan span) => AddTree(tree, tree.Name, "", span);

    private static void AddTree(XmlTree tree, string name, string path, DiskSpdSpan span)
    {
        foreach (var child in tree.Children)
        {
            if (child.Children.Count == 0)
                Append(span, name, $"{path}{child.Name}: {child.Text}");
            else
                AddTree(child, name, path + child.Name + " ", span);
        }
    }

    /// <summary>Adds the ranges of a thread's I/Os, once for all threads of a target that have the same ranges.</summary>
    internal static void AddDistribution(XmlTree distribution, IoThreadResult thread, DiskSpdSpan span)
    {
        var lines = new StringBuilder();
        long from = 0;
        foreach (var range in distribution["Absolute"]?.Children ?? [])
        {
            var share = range.Attributes.GetValueOrDefault("IO", "");
            if (
                Numbers.Integer(range.Text) is not long length
                || Numbers.LeadingInt(share) is not int percent
                || from > long.MaxValue - length
            )
                return;
            if (percent > 0)
                lines.Append('\n').Append(CultureInfo.InvariantCulture, $"{percent}% of IO => [{from} - {from + length})");
            from += length;
        }
        var text = lines.ToString();
        var all = span.Details.GetValueOrDefault(DetailNames.Distribution) ?? "";
        // Threads are in ascending order, so only the last entry can be extended.
        var last = all.LastIndexOf("target: ", StringComparison.Ordinal);
        var begin = $"target: {thread.Path} [thread: ";
        if (last >= 0 && all[last..].StartsWith(begin, StringComparison.Ordinal) && all.EndsWith("]" + text, StringComparison.Ordinal))
        {
            var close = all.Length - text.Length - 1;
            span.Details[DetailNames.Distribution] = $"{all[..close]} {thread.ThreadId}{all[close..]}";
            return;
        }
        Append(span, DetailNames.Distribution, $"{begin}{thread.ThreadId}]{text}");
    }

    private static void Append(DiskSpdSpan span, string name, string line)
    {
        var text = span.Details.GetValueOrDefault(name);
        if (text is null || text.Length < MaxCharacters)
            span.Details[name] = text is null ? line : text + "\n" + line;
    }

    private static string Count(XmlTree element, string name) => element.TextOf(name) is { Length: > 0 } text ? text : "0";
}
