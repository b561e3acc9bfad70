namespace IoBench.Formats.Csv;

/// <summary>Keeps text from being taken for a formula by spreadsheets: an apostrophe before signs that begin one.</summary>
internal static class CsvGuard
{
    /// <summary>The text as it is written.</summary>
    public static string Add(string text) => NeedsGuard(text) ? "'" + text : text;

    /// <summary>The text as it was.</summary>
    public static string Remove(string text) => text.Length > 1 && text[0] == '\'' && NeedsGuard(text[1..]) ? text[1..] : text;

    // The apostrophe itself too, so that text that begins with one is not mistaken for guarded text.
    private static bool NeedsGuard(string text) => text.Length > 0 && text[0] is ('=' or '+' or '-' or '@' or '\t' or '\r' or '\n' or '\'');
}
