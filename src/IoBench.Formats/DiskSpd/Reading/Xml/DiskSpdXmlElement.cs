using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

/// <param name="what">Description, as the end of a sentence.</param>
/// <param name="isOffered">False if the part is valid, but IoBench does not support it.</param>
internal delegate void XmlProblemHandler(int line, string what, bool isOffered = true);

/// <summary>An element with all of its descendants, for small parts of a document: the profile, the system, one thread.</summary>
internal sealed class DiskSpdXmlElement
{
    internal required string Name { get; init; }
    internal required int Line { get; init; }
    internal string Text { get; set; } = "";
    internal List<DiskSpdXmlElement> Children { get; } = [];
    internal Dictionary<string, string> Attributes { get; } = new(0);
    internal List<IoTimelinePoint> Intervals { get; } = [];

    /// <summary>Whether the element has more intervals than the input may read.</summary>
    internal bool HasMoreIntervals { get; set; }

    internal DiskSpdXmlElement? this[string name] => Children.Find(c => c.Name == name);

    internal string? GetText(string name) => this[name]?.Text;

    internal string GetAttribute(string name) => Attributes.GetValueOrDefault(name, "");

    /// <summary>Parses a 31-bit count. An invalid value is a problem and returns 0, as in the other methods.</summary>
    internal int ParseInt32(XmlProblemHandler problem) =>
        int.TryParse(Text, NumberStyles.None, CultureInfo.InvariantCulture, out var value)
            ? value
            : (int)ReportInvalid("not a number", problem);

    internal long ParseUInt32(XmlProblemHandler problem) =>
        uint.TryParse(Text, NumberStyles.None, CultureInfo.InvariantCulture, out var value)
            ? value
            : ReportInvalid("not a number", problem);

    internal long ParseSize(XmlProblemHandler problem) =>
        long.TryParse(Text, NumberStyles.None, CultureInfo.InvariantCulture, out var value)
            ? value
            : ReportInvalid("not a size in bytes", problem);

    internal bool ParseBoolean(XmlProblemHandler problem) =>
        Text switch
        {
            "true" or "1" => true,
            "false" or "0" => false,
            _ => ReportInvalid("neither true nor false", problem) != 0,
        };

    /// <summary>Returns the index of a word in <paramref name="words"/>. Any other word is a problem and returns 0.</summary>
    internal int ParseWord(string word, XmlProblemHandler problem, params string[] words)
    {
        if (Array.IndexOf(words, word) is >= 0 and var index)
            return index;
        problem(Line, $"<{Name}>: '{Shorten(word)}' is not one of {string.Join(", ", words)}");
        return 0;
    }

    private long ReportInvalid(string what, XmlProblemHandler problem)
    {
        problem(Line, $"<{Name}> is '{Shorten(Text)}', which is {what}");
        return 0;
    }

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

    internal static string Shorten(string text) => text.Length > 40 ? text[..40] + "…" : text;
}
