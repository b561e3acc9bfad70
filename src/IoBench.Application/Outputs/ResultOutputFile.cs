using System.Text;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>File of results that is complete after each result, so that an interrupted run loses nothing. Each save is atomic, even if the
/// disk is full.</summary>
public sealed class ResultOutputFile : IResultSink, IDisposable
{
    private const string ArrayEnd = "\n]\n";

    private readonly ResultFormat _format;
    private readonly string? _firstLine;

    // The lists are not copied, because a list can read its items on demand.
    private readonly List<IReadOnlyList<IoTestResult>> _results = [];

    private bool _appendsRows;

    private long? _savedLength;

    private bool _hasUnsaved;

    private ResultOutputFile(OutputFile output, ResultFormat format, string? firstLine = null)
    {
        Output = output;
        _format = format;
        _firstLine = firstLine;
    }

    public OutputFile Output { get; }

    /// <summary>Results of the resumed run, then the added results.</summary>
    public IEnumerable<IoTestResult> Results => _results.SelectMany(list => list);

    /// <summary>Creates a file for new results. An existing file is replaced when the first result is saved.</summary>
    /// <param name="system">For tests; null = the operating system.</param>
    public static ResultOutputFile Create(string path, ResultFormat format, bool replace = false, PlatformOutputFiles? system = null) =>
        new(OutputFile.Reserve(path, mayExist: replace, system: system), format);

    /// <summary>Creates a file that begins with the first line of a journal.</summary>
    internal static ResultOutputFile CreateJournal(string path) =>
        new(OutputFile.Reserve(path), ResultFormat.Json, JsonFormat.JournalHeader);

    /// <summary>Opens a journal to continue its run.</summary>
    internal static ResultOutputFile ResumeJournal(string path) =>
        Resume(new ResultOutputFile(OutputFile.Reserve(path, mayExist: true), ResultFormat.Json, JsonFormat.JournalHeader));

    /// <summary>Opens the file of an interrupted run to continue it. A missing or empty file counts as new.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.CannotResume</c>: only JSON contains the specifications.</exception>
    public static ResultOutputFile Resume(string path, ResultFormat format)
    {
        if (format != ResultFormat.Json)
            throw IoBenchException.Usage(
                "IoBench.CannotResume",
                $"{path} is not a JSON file. Other formats do not contain the test settings, so a run cannot be resumed.",
                path
            );
        return Resume(new ResultOutputFile(OutputFile.Reserve(path, mayExist: true, keepsContent: true), format));
    }

    private static ResultOutputFile Resume(ResultOutputFile file)
    {
        try
        {
            if (new FileInfo(file.Output.Path).Length > 0)
                file._results.Add([.. ResultReader.ReadFile(file.Output.Path, file._format)]);
            return file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Opens a file of earlier results to append to it. A missing or empty file counts as new.</summary>
    /// <param name="system">For tests; null = the operating system.</param>
    /// <exception cref="IoBenchException"><c>IoBench.CannotAppend</c>: not JSON or CSV, or a CSV file with other columns.</exception>
    public static ResultOutputFile Append(string path, ResultFormat format, PlatformOutputFiles? system = null)
    {
        if (format == ResultFormat.Json)
        {
            CheckIsJson(path);
            return Resume(path, format);
        }
        if (format != ResultFormat.Csv)
            throw IoBenchException.Usage(
                "IoBench.CannotAppend",
                $"IoBench cannot add results to a file in the {format} format. Use Json or Csv.",
                path
            );
        var file = new ResultOutputFile(OutputFile.Reserve(path, mayExist: true, keepsContent: true, system: system), format);
        try
        {
            file._appendsRows = HasIoBenchColumns(file.Output.Path);
            return file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <exception cref="IoBenchException"><c>IoBench.OutputFailed</c>: the file was not changed. The result stays in <see cref="Results"/>
    /// and is saved with the next one.</exception>
    public void Add(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        AddAll([result]);
    }

    /// <summary>Adds results and saves the file once. The list is not copied and must not change.</summary>
    public void AddAll(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        _hasUnsaved = true;
        _results.Add(results);
        SaveAdded(results);
        _hasUnsaved = false;
    }

    public void Flush()
    {
        if (_hasUnsaved)
            AddAll([]);
    }

    private void SaveAdded(IReadOnlyList<IoTestResult> results)
    {
        if (_appendsRows)
        {
            AppendRows(results);
            return;
        }
        using var earlier =
            _format == ResultFormat.Json
            && results.Count > 0
            && _results.Exists(list => list != results && list.Count > 0)
            && _savedLength is not null
                ? Output.OpenRead()
                : null;
        if (earlier is not null && earlier.Length == _savedLength)
            AppendToArray(earlier, results);
        else
            SaveAll();
    }

    /// <summary>Saves results as the only content, each as it arrives, without storing them. Does not save if there are no
    /// results.</summary>
    public void SaveStreamed(IEnumerable<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        using var each = results.GetEnumerator();
        if (!each.MoveNext())
            return;
        Save(stream =>
        {
            using var writer = new StreamWriter(stream, new UTF8Encoding(false), leaveOpen: true);
            ResultWriter.Write(writer, FromFirst(each), _format);
        });

        static IEnumerable<IoTestResult> FromFirst(IEnumerator<IoTestResult> each)
        {
            do yield return each.Current;
            while (each.MoveNext());
        }
    }

    /// <summary>Releases the name. If nothing was saved, the file is removed.</summary>
    public void Dispose() => Output.Dispose();

    private static void CheckIsJson(string path)
    {
        if (!File.Exists(path) || ResultReader.DetectFormat(path) is not { } found || found.WrittenAs == ResultFormat.Json)
            return;
        throw IoBenchException.Usage(
            "IoBench.CannotAppend",
            $"{path} contains {found.Name}, but the requested format is JSON. A file can have only one format.",
            path,
            found.WrittenAs == ResultFormat.Csv
                ? (IoMessage)$"Use {new OptionName("Format", "Csv")}, or specify another file."
                : "Specify another file."
        );
    }

    private static bool HasIoBenchColumns(string path)
    {
        using var reader = new StreamReader(InputFiles.Open(path));
        return reader.ReadLine() switch
        {
            null => false,
            var header when header == CsvResultWriter.Header => true,
            _ => throw IoBenchException.InvalidData(
                "IoBench.CannotAppend",
                $"{path} does not have the columns that IoBench writes, so IoBench cannot add results to this file. Choose another name.",
                path
            ),
        };
    }

    private void AppendRows(IReadOnlyList<IoTestResult> added)
    {
        using var earlier = Output.OpenRead() ?? InputFiles.Open(Output.Path);
        Save(stream =>
        {
            earlier.CopyTo(stream);
            // Windows does not replace an open file, even one that this process has open.
            earlier.Dispose();
            stream.Position = stream.Length - 1;
            // An editor can have removed the last line end.
            if (stream.ReadByte() != '\n')
                stream.Write("\r\n"u8);
            using var writer = new StreamWriter(stream, new UTF8Encoding(false), leaveOpen: true);
            CsvResultWriter.WriteRows(writer, added);
        });
    }

    private void SaveAll() =>
        Save(stream =>
        {
            using var writer = new StreamWriter(stream, new UTF8Encoding(false), leaveOpen: true);
            if (_firstLine is not null)
                writer.Write(_firstLine + "\n");
            ResultWriter.Write(writer, Results, _format);
        });

    /// <summary>Copies the bytes of the file, so that the time of a save does not depend on the number of earlier results.</summary>
    private void AppendToArray(Stream earlier, IReadOnlyList<IoTestResult> added) =>
        Save(stream =>
        {
            earlier.CopyTo(stream);
            earlier.Dispose();
            stream.SetLength(stream.Length - ArrayEnd.Length);
            stream.Position = stream.Length;
            foreach (var result in added)
            {
                using var one = new StringWriter();
                JsonFormat.Write(one, [result]);
                // Remove the brackets of the array.
                stream.Write(Encoding.UTF8.GetBytes("," + one.ToString()[1..^ArrayEnd.Length]));
            }
            stream.Write(Encoding.UTF8.GetBytes(ArrayEnd));
        });

    private void Save(Action<Stream> write)
    {
        _savedLength = null;
        long length = 0;
        Output.Save(stream =>
        {
            write(stream);
            length = stream.Length;
        });
        _savedLength = length;
    }
}
