using System.Globalization;
using System.Text.Json.Nodes;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

/// <summary>A folder of JSON lines, one file per host and month. An incomplete line of a terminated process is skipped.</summary>
public static class ResultHistory
{
    public const string Extension = JsonFormat.LineFileExtension;

    /// <summary>Reads one file, or the JSON lines of a folder in the order of the runs and its other result files.</summary>
    /// <param name="warn">Receives a message for each line that cannot be read; null = no messages.</param>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.NoResultFiles</c>, or an error of a format.</exception>
    public static IReadOnlyList<IoTestResult> Read(string path, Action<string>? warn = null)
    {
        var results =
            Directory.Exists(path) ? ReadFolder(path, warn)
            : path.EndsWith(Extension, StringComparison.OrdinalIgnoreCase) ? JsonFormat.ReadLineFile(path, warn)
            : ResultReader.ReadFile(path);
        return [.. results.OrderBy(r => r.StartTime ?? DateTimeOffset.MinValue)];
    }

    private static IEnumerable<IoTestResult> ReadFolder(string folder, Action<string>? warn)
    {
        var isEmpty = true;
        foreach (var file in ResultReader.ReadHistory(folder, warn))
        {
            isEmpty = false;
            foreach (var result in file.Results)
                yield return result;
            foreach (var line in file.PassedOver)
                warn?.Invoke(line);
        }
        if (isEmpty)
            throw ResultReader.CreateNoResultFilesError(folder, recurse: false);
    }

    /// <summary>Formats a result as one line of JSON, without a line break.</summary>
    public static string FormatLine(IoTestResult result)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        ResultWriter.Write(text, [result], ResultFormat.Json);
        return JsonNode.Parse(text.ToString())![0]!.ToJsonString();
    }

    public static string GetFileName(IoTestResult result)
    {
        var month = (result.StartTime ?? DateTimeOffset.UtcNow).UtcDateTime.ToString("yyyy-MM", CultureInfo.InvariantCulture);
        var computer = string.Concat((result.ComputerName ?? "unknown").Select(c => char.IsLetterOrDigit(c) || c is '-' or '_' ? c : '_'));
        return $"{computer}-{month}{Extension}";
    }
}
