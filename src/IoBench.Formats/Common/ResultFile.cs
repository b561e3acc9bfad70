using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// A file of results that is complete after each one: what an interrupted night has measured is not lost. It is written anew beside
/// itself and renamed, so whatever happens it holds every finished result and is never half written, not on a full disk either.
/// </summary>
public sealed class ResultFile
{
    /// <summary>How <see cref="JsonResultWriter"/> ends an array of results: what a further result goes in front of.</summary>
    private const string ArrayEnd = "\n]\n";

    private readonly string _path;
    private readonly ResultFormat _format;
    private readonly List<IoTestResult> _results = [];

    /// <summary>The file's length as this object left it; null when it must be written as a whole.</summary>
    private long? _savedLength;

    /// <summary>A file that is written with its first result; it replaces what is there.</summary>
    public ResultFile(string path, ResultFormat format)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        _path = path;
        _format = format;
    }

    /// <summary>Results of the earlier, interrupted run, then those added.</summary>
    public IReadOnlyList<IoTestResult> Results => _results;

    /// <summary>A new file without results, written at once: that it cannot be is known before a long run.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.OutputFailed</c>.</exception>
    public static ResultFile Create(string path, ResultFormat format)
    {
        var file = new ResultFile(path, format);
        file.SaveAll();
        return file;
    }

    /// <summary>Goes on with the file of an interrupted run; one that is not there or empty is as a new one.</summary>
    /// <exception cref="IoBenchException">What <see cref="ResultReader.ReadFile"/> throws; <c>IoBench.CannotResume</c>: only JSON tells what was asked for.</exception>
    public static ResultFile Resume(string path, ResultFormat format)
    {
        var file = new ResultFile(path, format);
        if (format != ResultFormat.Json)
            throw IoBenchException.Usage("IoBench.CannotResume", $"{path} would not be JSON: another format does not tell what was asked for, so it cannot be gone on with.", path);
        if (File.Exists(path) && new FileInfo(path).Length > 0)
            file._results.AddRange(ResultReader.ReadFile(path, format));
        return file;
    }

    /// <summary>Adds a result and saves.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.OutputFailed</c>: the file is as it was. The result is still among <see cref="Results"/> and goes into the file with the next one.</exception>
    public void Add(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        _results.Add(result);
        if (_format == ResultFormat.Json && _results.Count > 1 && _savedLength is { } length && File.Exists(_path) && new FileInfo(_path).Length == length)
            SaveAfter(result, length);
        else
            SaveAll();
    }

    /// <summary>Adds results and saves once.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.OutputFailed</c>, as <see cref="Add"/>.</exception>
    public void AddAll(IEnumerable<IoTestResult> results)
    {
        _results.AddRange(results);
        SaveAll();
    }

    private void SaveAll() => Save(stream =>
    {
        using var writer = new StreamWriter(stream, new UTF8Encoding(false), leaveOpen: true);
        ResultWriter.Write(writer, _results, _format);
    });

    /// <summary>The file's bytes as they are and the result behind them: a night of a thousand results is not made anew for each.</summary>
    private void SaveAfter(IoTestResult result, long length) => Save(stream =>
    {
        using (var earlier = new FileStream(_path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete))
            earlier.CopyTo(stream);
        using var one = new StringWriter();
        JsonResultWriter.Write(one, [result]);
        stream.SetLength(length - ArrayEnd.Length);
        stream.Position = stream.Length;
        // Without the bracket that begins an array.
        stream.Write(Encoding.UTF8.GetBytes("," + one.ToString()[1..]));
    });

    private void Save(Action<FileStream> write)
    {
        var temporary = _path + ".tmp";
        _savedLength = null;
        try
        {
            long length;
            using (var stream = new FileStream(temporary, FileMode.Create, FileAccess.Write, FileShare.Read))
            {
                write(stream);
                stream.Flush(flushToDisk: true);
                length = stream.Length;
            }
            File.Move(temporary, _path, overwrite: true);
            _savedLength = length;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            Remove(temporary);
            throw IoBenchException.Failure("IoBench.OutputFailed", $"{_path} could not be written: {TextInput.OneLine(error.Message).TrimEnd('.')}. Results so far: {_results.Count}.", _path, error);
        }
    }

    /// <summary>A half written file beside the good one must not fill a full disk.</summary>
    private static void Remove(string temporary)
    {
        try
        {
            File.Delete(temporary);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The error that is told is why it could not be written; that it stays as well changes nothing.
        }
    }
}
