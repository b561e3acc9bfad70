namespace IoBench.Formats;

internal sealed class BatchProgram
{
    private const int LongestFile = 4 * 1024 * 1024;

    private readonly Dictionary<string, int> _labels = new(StringComparer.OrdinalIgnoreCase);

    internal List<List<BatchLine>> Statements { get; } = [];

    internal string? SourceFile { get; }

    internal BatchProgram(BatchLineReader lines, string? sourceFile)
    {
        SourceFile = sourceFile;
        var length = 0L;
        while (lines.TryRead(out var line))
        {
            if (GetLabel(line.Text) is { } label)
                _labels.TryAdd(label, Statements.Count);
            if (BatchSyntax.IsCommentOrLabel(line.Text))
                continue;
            Statements.Add(ReadStatement(lines, line));
            foreach (var part in Statements[^1])
                length += part.Text.Length;
            if (length > LongestFile)
                throw BatchLineReader.CreateError(sourceFile, line.Line, "a batch file of such a length is not read");
        }
    }

    internal int? FindLabel(string label) => _labels.TryGetValue(label, out var at) ? at : null;

    private List<BatchLine> ReadStatement(BatchLineReader lines, BatchLine line)
    {
        var statement = new List<BatchLine> { line };
        for (var open = BatchSyntax.CountOpenParentheses(line.Text); open > 0; open += BatchSyntax.GetParenthesisBalance(line.Text))
        {
            if (!lines.TryRead(out line))
                throw BatchLineReader.CreateError(SourceFile, statement[0].Line, "a parenthesis that opens here is never closed");
            if (BatchSyntax.IsCommentOrLabel(line.Text))
                line = line with { Text = "" };
            statement.Add(line);
        }
        return statement;
    }

    private static string? GetLabel(string text)
    {
        var line = text.AsSpan().TrimStart();
        if (line.Length < 2 || line[0] != ':' || line[1] == ':')
            return null;
        line = line[1..].TrimStart();
        var end = line.IndexOfAny(" \t:");
        return (end < 0 ? line : line[..end]).ToString();
    }
}
