using System.Globalization;

namespace IoBench.Formats.DiskSpd.Reading.Xml;

/// <summary>Values of elements; what is not one goes to the handler of problems and counts as the default 0 or false.</summary>
internal static class XmlValue
{
    /// <summary>A count that fits 31 bits.</summary>
    internal static int Int(XmlTree element, XmlProblem problem)
    {
        if (int.TryParse(element.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var value))
            return value;
        Wrong(element, "not a number", problem);
        return 0;
    }

    /// <summary>A count that fits 32 bits.</summary>
    internal static long UInt(XmlTree element, XmlProblem problem)
    {
        if (uint.TryParse(element.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var value))
            return value;
        Wrong(element, "not a number", problem);
        return 0;
    }

    /// <summary>A size in bytes.</summary>
    internal static long Size(XmlTree element, XmlProblem problem)
    {
        if (long.TryParse(element.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var value))
            return value;
        Wrong(element, "not a size in bytes", problem);
        return 0;
    }

    /// <summary>true, false, 1 or 0.</summary>
    internal static bool Flag(XmlTree element, XmlProblem problem)
    {
        if (element.Text is "true" or "1")
            return true;
        if (element.Text is not ("false" or "0"))
            Wrong(element, "neither true nor false", problem);
        return false;
    }

    private static void Wrong(XmlTree element, string what, XmlProblem problem)
    {
        var text = element.Text.Length > 40 ? element.Text[..40] + "…" : element.Text;
        problem(element.Line, $"<{element.Name}> is '{text}', which is {what}");
    }
}
