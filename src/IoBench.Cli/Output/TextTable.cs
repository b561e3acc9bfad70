namespace IoBench.Cli;

/// <param name="Width">Required width in characters.</param>
/// <param name="IsNumber">Right-aligned and never shortened.</param>
/// <param name="MinWidth">Minimum width of a text column in characters.</param>
internal sealed record TextColumn(string Header, int Width, bool IsNumber, int MinWidth = 10);

/// <summary>A table whose column widths are fixed before the first row, so that rows can be printed as they arrive.</summary>
internal sealed class TextTable
{
    /// <summary>Maximum width in a file, a pipe, or a wide terminal.</summary>
    public const int MaxWidth = 120;

    /// <summary>Width on a terminal of 80 columns.</summary>
    public const int MinWidth = 79;

    private const string Gap = "  ";
    private readonly IReadOnlyList<TextColumn> _columns;
    private readonly int[] _widths;

    public TextTable(IReadOnlyList<TextColumn> columns, int maxWidth)
    {
        _columns = columns;
        _widths = [.. columns.Select(c => Math.Max(c.Width, c.Header.Length))];
        while (_widths.Sum() + (Gap.Length * (columns.Count - 1)) > maxWidth && FindWidestColumn() is { } widest)
            _widths[widest]--;
    }

    public static int GetMinWidth(IReadOnlyList<TextColumn> columns) =>
        (Gap.Length * (columns.Count - 1))
        + columns.Sum(c => Math.Max(c.Header.Length, c.IsNumber ? c.Width : Math.Min(c.Width, c.MinWidth)));

    /// <param name="columns">Header, as in the other overloads, and text of a cell; null for an empty cell.</param>
    public static void WriteTable<T>(TextWriter output, IReadOnlyList<T> items, params (string Header, Func<T, string?> Cell)[] columns) =>
        WriteTable(
            output,
            [.. items.Select(item => Array.ConvertAll(columns, column => column.Cell(item) ?? ""))],
            Array.ConvertAll(columns, column => column.Header)
        );

    /// <summary>Writes a table and wraps long texts. A header that starts with # is of a number column. A column whose header starts with
    /// ? is omitted if a narrow terminal has no room for it.</summary>
    public static void WriteTable(TextWriter output, IReadOnlyList<string[]> rows, params string[] headers) =>
        WriteTable(output, MaxWidth, rows, headers);

    /// <summary>Writes a table of at most a width. Below <see cref="MaxWidth"/>, words are never broken.</summary>
    public static void WriteTable(TextWriter output, int width, IReadOnlyList<string[]> rows, params string[] headers)
    {
        var maxWidth = Math.Min(width, (output as ConsoleWriter)?.TableWidth ?? MaxWidth);
        var columns = headers.Select((header, i) => CreateColumn(header, [.. rows.Select(row => row[i])], maxWidth)).ToList();
        var shown = Enumerable.Range(0, headers.Length).ToList();
        while (
            maxWidth < MaxWidth
            && GetMinWidth(shown.ConvertAll(i => columns[i])) > maxWidth
            && shown.FindLastIndex(i => headers[i][0] == '?') is >= 0 and var expendable
        )
            shown.RemoveAt(expendable);
        var table = new TextTable(shown.ConvertAll(i => columns[i]), maxWidth);
        var cells = rows.Select(row => shown.Select(i => row[i]).ToArray());
        foreach (var line in table.FormatHeader().Concat(cells.SelectMany(table.FormatWrappedRow)))
            output.WriteLine(line);
    }

    private static TextColumn CreateColumn(string header, string[] cells, int maxWidth)
    {
        // In a narrow terminal, many columns would be so narrow that names are broken.
        var minWidth =
            maxWidth < MaxWidth ? cells.SelectMany(cell => cell.Split(' ')).Select(word => word.Length).DefaultIfEmpty().Max() : 10;
        header = header.TrimStart('?');
        return new TextColumn(header.TrimStart('#'), cells.Select(cell => cell.Length).DefaultIfEmpty().Max(), header[0] == '#', minWidth);
    }

    // Long texts continue on the next lines.
    private IEnumerable<string> FormatWrappedRow(string[] cells)
    {
        var wrapped = cells.Select((cell, i) => WrapText(cell, _widths[i]).ToList()).ToList();
        for (var line = 0; line < wrapped.Max(parts => parts.Count); line++)
            yield return FormatRow([.. wrapped.Select(parts => parts.ElementAtOrDefault(line))]);
    }

    public static IEnumerable<string> WrapText(string text, int width)
    {
        while (text.Length > width)
        {
            // Break at a space; break inside a word only if there is none.
            var blank = text.LastIndexOf(' ', width);
            var end = blank > 0 ? blank : width;
            yield return text[..end];
            text = text[end..].TrimStart(' ');
        }
        yield return text;
    }

    public IEnumerable<string> FormatHeader()
    {
        yield return FormatRow([.. _columns.Select(c => c.Header)]);
        yield return FormatRow([.. _columns.Select(c => new string('-', c.Header.Length))]);
    }

    public string FormatRow(IReadOnlyList<string?> cells) =>
        string.Join(Gap, cells.Select((cell, i) => FormatCell(cell ?? "", _columns[i], _widths[i]))).TrimEnd();

    /// <summary>Cuts the end of a text but the beginning of a path, because the end of a path matters most.</summary>
    public static string ShortenText(string text, int width) =>
        text.Length <= width ? text
        : text.Contains('/', StringComparison.Ordinal) || text.Contains('\\', StringComparison.Ordinal) ? "…" + text[^(width - 1)..]
        : text[..(width - 1)] + "…";

    private int? FindWidestColumn()
    {
        var candidates = Enumerable
            .Range(0, _widths.Length)
            .Where(i => !_columns[i].IsNumber && _widths[i] > Math.Max(_columns[i].MinWidth, _columns[i].Header.Length))
            .ToList();
        return candidates.Count == 0 ? null : candidates.MaxBy(i => _widths[i]);
    }

    private static string FormatCell(string text, TextColumn column, int width) =>
        column.IsNumber ? text.PadLeft(width) : ShortenText(text, width).PadRight(width);
}
