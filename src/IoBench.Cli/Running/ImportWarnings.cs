using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>The warnings of results that were read, each kind in a line with the files that have it. Memory holds a kind's first words and its files.</summary>
internal sealed class ImportWarnings
{
    private const int MaxFiles = 3;
    private readonly Dictionary<string, Kind> _kinds = new(StringComparer.Ordinal);
    private readonly HashSet<(string File, string Text)> _seen = [];

    /// <summary>Takes those of a result; a run that was cut off is reported as an error.</summary>
    /// <param name="result">The result.</param>
    /// <param name="path">The file that it was read from now; null = not known.</param>
    public void Add(IoTestResult result, string? path)
    {
        if (result.Status == IoResultStatus.Incomplete)
            return;
        var file = Path.GetFileName(result.SourceFile ?? path ?? "");
        foreach (var text in result.Warnings.Where(text => _seen.Add((file, text))))
        {
            var name = WarningDigest.Kind(text);
            if (!_kinds.TryGetValue(name, out var kind))
                _kinds[name] = kind = new Kind(text);
            kind.Count++;
            if (file.Length > 0 && !kind.Files.Contains(file))
                kind.Files.Add(file);
        }
    }

    /// <summary><c>Note (5 times): a.txt, b.txt, c.txt and 2 more files: line 7: …</c></summary>
    public IReadOnlyCollection<string> Lines() => [.. _kinds.Values.Select(kind => $"Note{(kind.Count == 1 ? "" : $" ({kind.Count} times)")}: {Of(kind.Files)}{kind.First}")];

    private static string Of(List<string> files)
        => files.Count == 0 ? "" : $"{string.Join(", ", files.Take(MaxFiles))}{(files.Count > MaxFiles ? $" and {files.Count - MaxFiles} more files" : "")}: ";

    private sealed class Kind(string first)
    {
        public string First => first;
        public int Count { get; set; }
        public List<string> Files { get; } = [];
    }
}
