using System.Globalization;
using System.Text.Json.Nodes;

namespace IoBench.Analysis.History;

/// <summary>
/// Reads results kept over the years as JSON lines: a folder with one file per computer and month, with one line per result. What a killed process left of a
/// line is passed over.
/// </summary>
public static class ResultHistory
{
    /// <summary>Extension of the files.</summary>
    public const string Extension = JsonLineReader.Extension;

    /// <summary>The results of a folder's JSON lines in the order they were taken, and every other result file of it; or those of one file.</summary>
    /// <param name="path">Folder or file.</param>
    /// <param name="warn">Receives of each line that cannot be read; null = nobody listens.</param>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.NoResultFiles</c> and what reading a file throws.</exception>
    public static IReadOnlyList<IoTestResult> Read(string path, Action<string>? warn = null)
    {
        var results =
            Directory.Exists(path) ? ReadFolder(path, warn)
            : path.EndsWith(Extension, StringComparison.OrdinalIgnoreCase) ? JsonLineReader.ReadFile(path, warn)
            : ResultReader.ReadFile(path);
        return [.. results.OrderBy(r => r.StartTime ?? DateTimeOffset.MinValue)];
    }

    private static IEnumerable<IoTestResult> ReadFolder(string folder, Action<string>? warn)
    {
        var isEmpty = true;
        foreach (var file in ResultFiles.ReadHistory(folder, warn))
        {
            isEmpty = false;
            foreach (var result in file.Results)
                yield return result;
            foreach (var line in file.PassedOver)
                warn?.Invoke(line);
        }
        if (isEmpty)
            throw ResultReader.NoResultFiles(folder, recurse: false);
    }

    /// <summary>A result as one line of JSON, without its end.</summary>
    public static string Line(IoTestResult result)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        ResultWriter.Write(text, [result], ResultFormat.Json);
        return JsonNode.Parse(text.ToString())![0]!.ToJsonString();
    }

    /// <summary>Name of the file that a result belongs in.</summary>
    public static string FileName(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        var month = (result.StartTime ?? DateTimeOffset.UtcNow).UtcDateTime.ToString("yyyy-MM", CultureInfo.InvariantCulture);
        var computer = string.Concat((result.ComputerName ?? "unknown").Select(c => char.IsLetterOrDigit(c) || c is '-' or '_' ? c : '_'));
        return $"{computer}-{month}{Extension}";
    }
}
