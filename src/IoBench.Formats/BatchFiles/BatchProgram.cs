namespace IoBench.Formats;

internal sealed class BatchProgram
{
    private const int LongestFile = 4 * 1024 * 1024;

    private readonly Dictionary<string, int> _labels = new(StringComparer.OrdinalIgnoreCase);

    internal List<List<BatchLine>> Statements { get; } = [];

    internal string? SourceFile { get; }

    internal BatchProgram(BatchLines lines, string? sourceFile)
    {
        SourceFile = sourceFile;
        var length = 0L;
        while (lines.TryRead(out var line))
        {
            if (LabelOf(line.Text) is { } label)
                _labels.TryAdd(label, Statements.Count);
            if (BatchCommand.IsComment(line.Text))
                continue;
            Statements.Add(ReadStatement(lines, line));
            foreach (var part in Statements[^1])
                length += part.Text.Length;
            if (length > LongestFile)
                throw BatchError.At(sourceFile, line.Line, "a batch file of such a length is not read");
        }
    }

    internal int? Find(string label) => _labels.TryGetValue(label, out var at) ? at : null;

    private List<BatchLine> ReadStatement(BatchLines lines, BatchLine line)
    {
        var statement = new List<BatchLine> { line };
        for (var open = BatchCommand.OpenParentheses(line.Text); open > 0; open += BatchCommand.Balance(line.Text))
        {
            if (!lines.TryRead(out line))
                throw BatchError.At(SourceFile, statement[0].Line, "a parenthesis that opens here is never closed");
            if (BatchCommand.IsComment(line.Text))
                line = line with { Text = "" };
            statement.Add(line);
        }
        return statement;
    }

    private static string? LabelOf(string text)
    {
        var line = text.AsSpan().TrimStart();
        if (line.Length < 2 || line[0] != ':' || line[1] == ':')
            return null;
        line = line[1..].TrimStart();
        var end = line.IndexOfAny(" \t:");
        return (end < 0 ? line : line[..end]).ToString();
    }
}
