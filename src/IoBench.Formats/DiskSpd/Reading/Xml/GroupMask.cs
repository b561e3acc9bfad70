using System.Globalization;

namespace IoBench.Formats;

internal static class DiskSpdProcessorLists
{
    private const int MaxGroup = 63;

    /// <summary>Reads an element such as <c>&lt;Group Group="0" Mask="0xf"/&gt;</c> and adds its processors.</summary>
    /// <returns>Group and mask (0 = the whole group); null if the element does not have them.</returns>
    internal static (int Group, ulong Mask)? ReadGroupMask(DiskSpdXmlElement element, List<int> processors)
    {
        var text = element.Attributes.GetValueOrDefault("Mask", "").AsSpan();
        var isHex = text.StartsWith("0x", StringComparison.OrdinalIgnoreCase);
        if (
            ToolNumberParser.ParseLeadingInt32(element.Attributes.GetValueOrDefault("Group", ""))
                is not (>= 0 and <= MaxGroup and var group)
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
}
