using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Processor lists of DiskSpd. Through 2.2: <c>0/0, 0/1</c>. From 2.3: <c>0-3,6 9</c>, or <c>0/0-3,6 1/*</c>.</summary>
internal static class DiskSpdProcessorLists
{
    /// <summary>Maximum number of processors in a list: 1,024 targets with one group each.</summary>
    private const int MaxProcessors = 65536;

    private static readonly (DiskSpdCoreOrder Order, string Name)[] s_orders =
    [
        (DiskSpdCoreOrder.PFirst, "P-cores first"),
        (DiskSpdCoreOrder.Unordered, "no P/E order"),
        (DiskSpdCoreOrder.EFirst, "E-cores first"),
        (DiskSpdCoreOrder.FillPFirst, "fill P-cores first"),
        (DiskSpdCoreOrder.FillEFirst, "fill E-cores first"),
    ];

    internal static bool TryReadList(ReadOnlySpan<char> list, List<int> processors, DiskSpd23Options? version23 = null)
    {
        var group = 0;
        while (!list.IsEmpty)
        {
            var end = list.IndexOfAny(',', ' ');
            var item = end < 0 ? list : list[..end];
            list = end < 0 ? default : list[(end + 1)..];
            if (item.IsEmpty)
                continue;
            if (item.IndexOf('/') is > 0 and var slash)
            {
                if (ToolNumberParser.ParseLeadingInt32(item[..slash]) is not int number)
                    return false;
                group = number;
                item = item[(slash + 1)..];
            }
            if (item is "*" && version23 is not null && group < 64)
                version23.WholeGroups |= 1UL << group;
            else if (!TryAddRange(item, group, processors))
                return false;
        }
        return true;
    }

    private static bool TryAddRange(ReadOnlySpan<char> item, int group, List<int> processors)
    {
        var dash = item.IndexOf('-');
        if (ToolNumberParser.ParseLeadingInt32(dash < 0 ? item : item[..dash]) is not int first)
            return false;
        var last = first;
        if (dash >= 0)
        {
            if (
                ToolNumberParser.ParseLeadingInt32(item[(dash + 1)..]) is not int to
                || to < first
                || to >= DiskSpdProcessorLists.MaxPerGroup
            )
                return false;
            last = to;
        }
        if (processors.Count + last - first >= MaxProcessors)
            return false;
        for (var processor = first; processor <= last; processor++)
            processors.Add(DiskSpdProcessorLists.GetNumber(group, processor));
        return true;
    }

    internal static bool TryReadOrder(ReadOnlySpan<char> text, DiskSpd23Options options)
    {
        Span<Range> parts = stackalloc Range[4];
        if (text.Split(parts, ',', StringSplitOptions.TrimEntries) != 3)
            return false;
        var name = text[parts[2]];
        foreach (var (order, known) in s_orders)
        {
            if (!name.SequenceEqual(known))
                continue;
            options.IsCoreAware = text[parts[0]] is "core-aware";
            options.SpansGroups = text[parts[1]] is "span groups";
            options.CoreOrder = order;
            return true;
        }
        return false;
    }

    internal static string FormatOrder(DiskSpd23Options options) =>
        (options.IsCoreAware ? "core-aware" : "cpu order")
        + ", "
        + (options.SpansGroups ? "span" : "fill")
        + " groups, "
        + Array.Find(s_orders, o => o.Order == options.CoreOrder).Name;

    /// <param name="wholeGroups">Bit mask of groups that are written as a whole. Their processors in the list are skipped.</param>
    internal static string FormatList(IReadOnlyList<int> processors, ulong wholeGroups = 0)
    {
        var hasGroups = (wholeGroups & ~1UL) != 0 || processors.Any(p => p >= DiskSpdProcessorLists.MaxPerGroup);
        var entries = new List<string>();
        foreach (var (group, mask) in GetMasks(processors, wholeGroups))
            entries.Add((hasGroups ? NumberFormat.Integer(group) + "/" : "") + (mask == 0 ? "*" : FormatMask(mask)));
        return (hasGroups ? "(group/cpu): " : "(cpu): ") + string.Join(' ', entries);
    }

    /// <summary>Returns one mask for each ascending run of processors within a group, then mask 0 for each whole group.</summary>
    internal static List<(int Group, ulong Mask)> GetMasks(IReadOnlyList<int> processors, ulong wholeGroups = 0)
    {
        var entries = new List<(int Group, ulong Mask)>();
        var last = -1;
        foreach (var number in processors)
        {
            var group = number / DiskSpdProcessorLists.MaxPerGroup;
            var processor = number % DiskSpdProcessorLists.MaxPerGroup;
            if (group < 64 && (wholeGroups & (1UL << group)) != 0)
                continue;
            if (entries.Count == 0 || entries[^1].Group != group || processor <= last)
                entries.Add((group, 0));
            entries[^1] = (group, entries[^1].Mask | (1UL << processor));
            last = processor;
        }
        for (var group = 0; group < 64; group++)
        {
            if ((wholeGroups & (1UL << group)) != 0)
                entries.Add((group, 0));
        }
        return entries;
    }

    private static string FormatMask(ulong mask)
    {
        var text = new StringBuilder();
        for (var first = 0; first < DiskSpdProcessorLists.MaxPerGroup; first++)
        {
            if ((mask & (1UL << first)) == 0)
                continue;
            var last = first;
            while (last + 1 < DiskSpdProcessorLists.MaxPerGroup && (mask & (1UL << (last + 1))) != 0)
                last++;
            text.Append(text.Length > 0 ? "," : "").Append(NumberFormat.Integer(first));
            if (last > first)
                text.Append('-').Append(NumberFormat.Integer(last));
            first = last;
        }
        return text.ToString();
    }

    internal const int MaxPerGroup = 64;

    /// <summary>Combines a group and a processor into one number: 64 per group, the maximum of Windows.</summary>
    internal static int GetNumber(int group, int processor) => (int)Math.Min((long)group * MaxPerGroup + processor, int.MaxValue);

    private const int MaxGroup = 63;

    /// <returns>Mask 0 is the whole group; null if the element has no group or mask.</returns>
    internal static (int Group, ulong Mask)? ReadGroupMask(DiskSpdXmlElement element, List<int> processors)
    {
        var text = element.GetAttribute("Mask").AsSpan();
        var isHex = text.StartsWith("0x", StringComparison.OrdinalIgnoreCase);
        if (
            ToolNumberParser.ParseLeadingInt32(element.GetAttribute("Group")) is not (>= 0 and <= MaxGroup and var group)
            || !ulong.TryParse(
                isHex ? text[2..] : text,
                isHex ? NumberStyles.AllowHexSpecifier : NumberStyles.None,
                CultureInfo.InvariantCulture,
                out var mask
            )
            || processors.Count > MaxGroup * DiskSpdProcessorLists.MaxPerGroup * 64
        )
            return null;
        for (var processor = 0; processor < DiskSpdProcessorLists.MaxPerGroup; processor++)
        {
            if ((mask & (1UL << processor)) != 0)
                processors.Add(DiskSpdProcessorLists.GetNumber(group, processor));
        }
        return (group, mask);
    }

    /// <summary>In order of the threads; null if threads were not bound, or if the processors are unknown.</summary>
    internal static List<int>? GetEffectiveProcessors(IoTestResult result)
    {
        if (result.ToolDetails.TryGetValue(DiskSpdFormat.EffectiveAffinity, out var text))
        {
            var read = new List<int>();
            return DiskSpdProcessorLists.TryReadList(text.AsSpan(text.IndexOf(':', StringComparison.Ordinal) + 1), read) ? read : null;
        }
        if (result.Specification is not { AffinityMode: IoAffinityMode.RoundRobin } test)
            return null;
        var all =
            test.Processors.Count > 0
                ? test.Processors
                : result.Processors.ConvertAll(p => DiskSpdProcessorLists.GetNumber(p.Group ?? 0, p.Processor));
        return [.. all.Take(result.ThreadCount ?? int.MaxValue)];
    }
}
