using System.Globalization;

namespace IoBench.Reports;

/// <summary>Widths of Helvetica in thousandths of the font size (Adobe's font metrics), which Arial and Liberation Sans share.</summary>
internal static class TextWidth
{
    private const int OtherCharacterWidth = 667;

    private const double BoldFactor = 1.09;

    // From space (32) to tilde (126).
    private static readonly int[] s_widths = Array.ConvertAll(
        """
        278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278
        556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556
        1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778
        667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556
        333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556
        556 556 333 500 278 556 500 722 500 500 500 334 260 334 584
        """.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries),
        text => int.Parse(text, CultureInfo.InvariantCulture)
    );

    /// <returns>Width in points, for a font size in points.</returns>
    public static double Measure(string text, double size, bool bold = false)
    {
        var sum = 0;
        foreach (var character in text)
            sum += character is >= ' ' and <= '~' ? s_widths[character - ' '] : OtherCharacterWidth;
        return sum * size / 1000 * (bold ? BoldFactor : 1);
    }
}
