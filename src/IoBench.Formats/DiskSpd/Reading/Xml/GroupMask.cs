using System.Globalization;

namespace IoBench.Formats;

internal static class GroupMask
{
    private const int MaxGroup = 63;

    /// <summary>Reads an element such as <c>&lt;Group Group="0" Mask="0xf"/&gt;</c> and adds its processors.</summary>
    /// <returns>Group and mask (0 = the whole group); null if the element does not have them.</returns>
    internal static (int Group, ulong Mask)? TryRead(XmlTree element, List<int> processors)
    {
        var text = element.Attributes.GetValueOrDefault("Mask", "").AsSpan();
        var isHex = text.StartsWith("0x", StringComparison.OrdinalIgnoreCase);
        if (
            Numbers.LeadingInt(element.Attributes.GetValueOrDefault("Group", "")) is not (>= 0 and <= MaxGroup and var group)
            || !ulong.TryParse(
                isHex ? text[2..] : text,
                isHex ? NumberStyles.AllowHexSpecifier : NumberStyles.None,
                CultureInfo.InvariantCulture,
                out var mask
            )
            || processors.Count > MaxGroup * ProcessorNumber.PerGroup * 64
        )
            return null;
        for (var processor = 0; processor < ProcessorNumber.PerGroup; processor++)
        {
            if ((mask & (1UL << processor)) != 0)
                processors.Add(ProcessorNumber.InGroup(group, processor));
        }
        return (group, mask);
    }
}
