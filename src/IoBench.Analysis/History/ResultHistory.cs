using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

/// <summary>
/// Results kept over the years as JSON lines: a folder, in it a file a computer and month, in it a line a result. Lines are only ever added, each whole
/// or not at all; what a killed process left of one is passed over.
/// </summary>
public static class ResultHistory
{
    /// <summary>Extension of the files.</summary>
    public const string Extension = ".jsonl";

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    /// <summary>Adds results to a folder, which is made when it is not there. Several processes may do so at once.</summary>
    /// <returns>The files written to.</returns>
    /// <exception cref="IoBenchException"><c>IoBench.CannotWrite</c>: a file cannot be written, or another process holds it for ten seconds.</exception>
    public static IReadOnlyList<string> Append(string folder, IEnumerable<IoTestResult> results)
    {
        List<string> files = [];
        try
        {
            Directory.CreateDirectory(folder);
            foreach (var file in results.GroupBy(FileName))
            {
                var path = Path.Combine(folder, file.Key);
                AppendLines(path, file.Select(Line));
                files.Add(path);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            throw IoBenchException.Failure("IoBench.CannotWrite", $"{folder} cannot keep the history: {e.Message}", folder, e);
        }
        return files;
    }

    /// <summary>The results of a folder's JSON lines in the order they were taken, and every other result file of it; or those of one file.</summary>
    /// <param name="path">Folder or file.</param>
    /// <param name="warn">Told of each line that cannot be read; null = nobody listens.</param>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.NoResultFiles</c> and what reading a file throws.</exception>
    public static IReadOnlyList<IoTestResult> Read(string path, Action<string>? warn = null)
    {
        IEnumerable<string> files = Directory.Exists(path) ? ResultReader.FindFiles(path, recurse: false) : [path];
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

    private static string FileName(IoTestResult result)
    {
        var month = (result.StartTime ?? DateTimeOffset.UtcNow).UtcDateTime.ToString("yyyy-MM", CultureInfo.InvariantCulture);
        var computer = string.Concat((result.ComputerName ?? "unknown").Select(c => char.IsLetterOrDigit(c) || c is '-' or '_' ? c : '_'));
        return $"{computer}-{month}{Extension}";
    }

    private static void AppendLines(string path, IEnumerable<string> lines)
    {
        var text = new UTF8Encoding(false).GetBytes(string.Concat(lines.Select(l => l + "\n")));
        using var file = Open(path);
        // A line that a killed process left without its end must not swallow the next.
        if (file.Length > 0)
        {
            file.Seek(-1, SeekOrigin.End);
            if (file.ReadByte() != '\n')
                text = [(byte)'\n', .. text];
        }
        file.Seek(0, SeekOrigin.End);
        file.Write(text);
        file.Flush(flushToDisk: true);
    }

    private static FileStream Open(string path)
    {
        for (var end = DateTime.UtcNow + s_patience; ; Thread.Sleep(20))
        {
            try
            {
                return new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, bufferSize: 1);
            }
            catch (IOException e) when (e is not (DirectoryNotFoundException or PathTooLongException) && DateTime.UtcNow < end)
            {
                // Another process is adding its lines.
            }
        }
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
            catch (IoBenchException e) when (e.ErrorId == "IoBench.InvalidJson")
            {
                warn?.Invoke($"{path} line {number} is not a whole result and is passed over.");
            }
            if (result is not null)
                yield return result;
        }
    }

    private static IEnumerable<string> AllLines(string path)
    {
        try
        {
            return File.ReadLines(path);
        }
        catch (FileNotFoundException)
        {
            throw IoBenchException.NotFound("IoBench.FileNotFound", $"{path} does not exist: check the name.", path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw IoBenchException.Failure("IoBench.CannotRead", $"{path} cannot be read: {e.Message}", path, e);
        }
    }
}
