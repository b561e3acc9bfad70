namespace IoBench.Cli.Output;

/// <summary>A column of a text table.</summary>
/// <param name="Header">Its name.</param>
/// <param name="Width">Characters it needs.</param>
/// <param name="IsNumber">Right-aligned, and never shortened.</param>
/// <param name="MinWidth">Characters a text column may be cut to.</param>
internal sealed record TableColumn(string Header, int Width, bool IsNumber, int MinWidth = 10);

/// <summary>Aligned columns whose widths are settled before the first row, so that rows can be printed as they come.</summary>
internal sealed class TextTable
{
    private const string Gap = "  ";
    private readonly IReadOnlyList<TableColumn> _columns;
    private readonly int[] _widths;

    /// <summary>A table at most so wide, as far as its text columns can be cut.</summary>
    public TextTable(IReadOnlyList<TableColumn> columns, int maxWidth)
    {
        _columns = columns;
        _widths = [.. columns.Select(c => Math.Max(c.Width, c.Header.Length))];
        while (_widths.Sum() + (Gap.Length * (columns.Count - 1)) > maxWidth && Widest() is { } widest)
            _widths[widest]--;
    }

    /// <summary>Characters of a row when every text column is cut as far as it may be.</summary>
    public static int MinWidth(IReadOnlyList<TableColumn> columns) =>
        (Gap.Length * (columns.Count - 1))
        + columns.Sum(c => Math.Max(c.Header.Length, c.IsNumber ? c.Width : Math.Min(c.Width, c.MinWidth)));

    /// <summary>Writes a whole table of texts, long ones over several lines; a header that begins with # is a number's.</summary>
    public static void Write(TextWriter output, IReadOnlyList<string[]> rows, params string[] headers)
    {
        var columns = headers
            .Select(
                (header, i) =>
                    new TableColumn(header.TrimStart('#'), rows.Count == 0 ? 0 : rows.Max(row => row[i].Length), IsNumber: header[0] == '#')
            )
            .ToList();
        var table = new TextTable(columns, 120);
        foreach (var line in table.Header().Concat(rows.SelectMany(table.Lines)))
            output.WriteLine(line);
    }

    // A row whose texts are not cut: what is too long goes on below.
    private IEnumerable<string> Lines(string[] cells)
    {
        var wrapped = cells.Select((cell, i) => Wrap(cell, _widths[i]).ToList()).ToList();
        for (var line = 0; line < wrapped.Max(parts => parts.Count); line++)
            yield return Line([.. wrapped.Select(parts => parts.ElementAtOrDefault(line))]);
    }

    private static IEnumerable<string> Wrap(string text, int width)
    {
        while (text.Length > width)
        {
            // At a blank; a word without one is broken.
            var blank = text.LastIndexOf(' ', width);
            var end = blank > 0 ? blank : width;
            yield return text[..end];
            text = text[end..].TrimStart(' ');
        }
        yield return text;
    }

    /// <summary>The two lines above the rows.</summary>
    public IEnumerable<string> Header()
    {
        yield return Line([.. _columns.Select(c => c.Header)]);
        yield return Line([.. _columns.Select(c => new string('-', c.Header.Length))]);
    }

    /// <summary>A row; null is an empty cell.</summary>
    public string Line(IReadOnlyList<string?> cells) =>
        string.Join(Gap, cells.Select((cell, i) => Cell(cell ?? "", _columns[i], _widths[i]))).TrimEnd();

    /// <summary>Cuts the end, or of a path its beginning, which matters least.</summary>
    public static string Shorten(string text, int width) =>
        text.Length <= width ? text
        : text.Contains('/', StringComparison.Ordinal) || text.Contains('\\', StringComparison.Ordinal) ? "…" + text[^(width - 1)..]
        : text[..(width - 1)] + "…";

    private int? Widest()
    {
        var candidates = Enumerable
            .Range(0, _widths.Length)
            .Where(i => !_columns[i].IsNumber && _widths[i] > Math.Max(_columns[i].MinWidth, _columns[i].Header.Length))
            .ToList();
        return candidates.Count == 0 ? null : candidates.MaxBy(i => _widths[i]);
    }

    private static string Cell(string text, TableColumn column, int width) =>
        column.IsNumber ? text.PadLeft(width) : Shorten(text, width).PadRight(width);
}
