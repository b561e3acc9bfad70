using System.Text;

namespace IoBench.Analysis;

internal static class FileStatsSnapshot
{
    private static readonly char[] s_separators = ['\t', ';', ','];

    internal static IEnumerable<Dictionary<string, object?>> ParseRows(TextReader reader)
    {
        List<string>? header = null;
        var separator = ',';
        while (reader.ReadLine() is { } line)
        {
            // Skip the type line of Windows PowerShell and the dashes that sqlcmd prints below the column names.
            if (line.Length == 0 || line.StartsWith('#') || line.Trim('-', ',', ';', '\t', ' ').Length == 0)
                continue;
            if (header is null)
            {
                separator = s_separators.MaxBy(c => line.Count(l => l == c));
                header = SplitFields(line, separator);
                continue;
            }
            var fields = SplitFields(line, separator);
            yield return header
                .Zip(fields)
                .Where(p => !p.Second.Equals("NULL", StringComparison.OrdinalIgnoreCase))
                .DistinctBy(p => p.First, StringComparer.OrdinalIgnoreCase)
                .ToDictionary(p => p.First, p => (object?)p.Second, StringComparer.OrdinalIgnoreCase);
        }
    }

    private static List<string> SplitFields(string line, char separator)
    {
        List<string> fields = [];
        var field = new StringBuilder();
        var quoted = false;
        for (var i = 0; i < line.Length; i++)
        {
            var c = line[i];
            if (c == '"' && quoted && i + 1 < line.Length && line[i + 1] == '"')
                field.Append(line[++i]);
            else if (c == '"')
                quoted = !quoted;
            else if (c == separator && !quoted)
            {
                fields.Add(field.ToString().Trim());
                field.Clear();
            }
            else
                field.Append(c);
        }
        fields.Add(field.ToString().Trim());
        return fields;
    }
}
