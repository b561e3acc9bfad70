namespace IoBench.Formats;

/// <summary>Unknown value: its name between two private-use characters. An error in a test, valid elsewhere.</summary>
internal static class CommandLinePlaceholder
{
    private const char BeginSign = '\uE000';
    private const char EndSign = '\uE001';

    internal static string ReplaceMarkers(string text) => text.Replace(BeginSign, '?').Replace(EndSign, '?');

    internal static string Create(string name) => BeginSign + name + EndSign;

    internal static string? FindFirstName(string text)
    {
        var begin = text.IndexOf(BeginSign, StringComparison.Ordinal);
        if (begin < 0)
            return null;
        var end = text.IndexOf(EndSign, begin);
        return FormatForMessage(end < 0 ? text[begin..] : text[begin..end]);
    }

    /// <summary>Index of the last character of the placeholder at <paramref name="at"/>, or <paramref name="at"/> without one.</summary>
    internal static int FindEnd(string text, int at) => text[at] == BeginSign && text.IndexOf(EndSign, at) is > 0 and var end ? end : at;

    internal static string FormatForMessage(string text) => string.Concat(text.Where(c => c is not (BeginSign or EndSign)));
}
