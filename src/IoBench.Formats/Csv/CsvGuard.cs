namespace IoBench.Formats;

/// <summary>Prevents spreadsheets from interpreting text as a formula: puts an apostrophe before characters that start a formula.</summary>
internal static class CsvColumn
{
    public static string AddFormulaGuard(string text) => NeedsFormulaGuard(text) ? "'" + text : text;

    public static string RemoveFormulaGuard(string text) =>
        text.Length > 1 && text[0] == '\'' && NeedsFormulaGuard(text[1..]) ? text[1..] : text;

    // The apostrophe itself needs a guard too, because text that begins with one would otherwise look guarded.
    private static bool NeedsFormulaGuard(string text) =>
        text.Length > 0 && text[0] is ('=' or '+' or '-' or '@' or '\t' or '\r' or '\n' or '\'');
}
