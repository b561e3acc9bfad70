using System.Globalization;

namespace IoBench.Formats;

internal static class DiskSpdXmlElement
{
    /// <summary>Parses a 31-bit count. An invalid value is a problem and returns 0, as in the other methods.</summary>
    internal static int ParseInt32(DiskSpdXmlElement element, XmlProblemHandler problem)
    {
        if (int.TryParse(element.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var value))
            return value;
        ReportInvalid(element, "not a number", problem);
        return 0;
    }

    /// <summary>Parses a 32-bit count.</summary>
    internal static long ParseUInt32(DiskSpdXmlElement element, XmlProblemHandler problem)
    {
        if (uint.TryParse(element.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var value))
            return value;
        ReportInvalid(element, "not a number", problem);
        return 0;
    }

    internal static long ParseSize(DiskSpdXmlElement element, XmlProblemHandler problem)
    {
        if (long.TryParse(element.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var value))
            return value;
        ReportInvalid(element, "not a size in bytes", problem);
        return 0;
    }

    internal static bool ParseBoolean(DiskSpdXmlElement element, XmlProblemHandler problem)
    {
        if (element.Text is "true" or "1")
            return true;
        if (element.Text is not ("false" or "0"))
            ReportInvalid(element, "neither true nor false", problem);
        return false;
    }

    private static void ReportInvalid(DiskSpdXmlElement element, string what, XmlProblemHandler problem)
    {
        var text = element.Text.Length > 40 ? element.Text[..40] + "…" : element.Text;
        problem(element.Line, $"<{element.Name}> is '{text}', which is {what}");
    }
}
