using System.Globalization;

namespace IoBench.Formats.DiskSpd.Reading.Xml;

/// <summary>An element such as <c>&lt;Group Group="0" Mask="0xf"/&gt;</c>: processors of a group as bits.</summary>
internal static class GroupMask
{
    /// <summary>Groups that are kept; Windows has fewer.</summary>
    private const int MaxGroup = 63;

    /// <summary>Adds its processors.</summary>
    /// <param name="processors">Where to.</param>
    /// <returns>The group and the mask, 0 = the whole group; null when they are not there.</returns>
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
