using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

/// <summary>
/// Reads results kept over the years as JSON lines: a folder with one file per computer and month, with one line per result. What a killed process left of a
/// line is passed over.
/// </summary>
public static class ResultHistory
{
    /// <summary>Extension of the files.</summary>
    public const string Extension = ".jsonl";

    /// <summary>The results of a folder's JSON lines in the order they were taken, and every other result file of it; or those of one file.</summary>
    /// <param name="path">Folder or file.</param>
    /// <param name="warn">Receives of each line that cannot be read; null = nobody listens.</param>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.NoResultFiles</c> and what reading a file throws.</exception>
    public static IReadOnlyList<IoTestResult> Read(string path, Action<string>? warn = null)
    {
        IEnumerable<string> files = Directory.Exists(path) ? ResultReader.FindFiles(path, recurse: false, warn) : [path];
        return [.. files.SelectMany(f => f.EndsWith(Extension, StringComparison.OrdinalIgnoreCase) ? ReadLines(f, warn) : ResultReader.ReadFile(f))
            .OrderBy(r => r.StartTime ?? DateTimeOffset.MinValue)];
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

    private static IEnumerable<IoTestResult> ReadLines(string path, Action<string>? warn)
    {
        var number = 0;
        foreach (var line in AllLines(path))
        {
            number++;
            if (string.IsNullOrWhiteSpace(line))
                continue;
            IoTestResult? result = null;
            try
            {
                using var bytes = new MemoryStream(Encoding.UTF8.GetBytes(line));
                result = JsonResultReader.Read(bytes, path).FirstOrDefault();
            }
            catch (IoBenchException e) when (e.ErrorId == ErrorIds.InvalidJson)
            {
                warn?.Invoke($"{path} line {number} is not a whole result and is passed over.");
            }
            if (result is not null)
                yield return result;
        }
    }

    private static IEnumerable<string> AllLines(string path)
    {
        using var reader = new StreamReader(InputFile.Open(path));
        while (Next(reader, path) is { } line)
            yield return line;
    }

    private static string? Next(StreamReader reader, string path)
    {
        try
        {
            return reader.ReadLine();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw InputFile.CannotRead(path, e);
        }
    }
}
