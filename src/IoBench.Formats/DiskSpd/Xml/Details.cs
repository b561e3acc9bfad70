using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats.DiskSpd.Xml;

/// <summary>What DiskSpd tells beyond rates and latency, as lines like those of its text.</summary>
internal static class Details
{
    private const int MostCharacters = 64 * 1024;

    /// <summary>Adds the waits of a thread (-vs).</summary>
    internal static void AddWaits(XmlTree waits, int thread, DiskSpdSpan span)
    {
        if (!span.Details.ContainsKey(DetailNames.Waits))
            span.Details[DetailNames.Waits] = DetailNames.WaitsHeader;
        Append(span, DetailNames.Waits, DetailNames.WaitsRow(thread, Count(waits, "CompletionWait"), Count(waits, "ThrottleWait"),
            Count(waits, "ThrottleSleep"), Count(waits, "Lookaside"), waits.TextOf("LookasideCompletion") ?? ""));
    }

    /// <summary>Adds ETW counters, a line each with the names of the elements.</summary>
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

    /// <summary>Adds where a thread's I/Os went, once for the threads of a target that have the same.</summary>
    internal static void AddDistribution(XmlTree distribution, IoThreadResult thread, DiskSpdSpan span)
    {
        var lines = new StringBuilder();
        long from = 0;
        foreach (var range in distribution["Absolute"]?.Children ?? [])
        {
            var share = range.Attributes.GetValueOrDefault("IO", "");
            if (Numbers.Integer(range.Text) is not long length || Numbers.LeadingInt(share) is not int percent || from > long.MaxValue - length)
                return;
            if (percent > 0)
                lines.Append('\n').Append(CultureInfo.InvariantCulture, $"{percent}% of IO => [{from} - {from + length})");
            from += length;
        }
        var text = lines.ToString();
        var all = span.Details.GetValueOrDefault(DetailNames.Distribution) ?? "";
        // Threads come in order: the last entry is the one to go on with.
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
        if (text is null || text.Length < MostCharacters)
            span.Details[name] = text is null ? line : text + "\n" + line;
    }

    private static string Count(XmlTree element, string name) => element.TextOf(name) is { Length: > 0 } text ? text : "0";
}
