using System.Text;

namespace IoBench.Application.Outputs;

/// <summary>
/// A file of results that is complete after each one: what an interrupted night has measured is not lost. Whatever happens it holds every finished result and is never half written, not on a
/// full disk either.
/// </summary>
public sealed class ResultFile : IDisposable
{
    /// <summary>How <see cref="JsonResultWriter"/> ends an array of results: what a further result goes in front of.</summary>
    private const string ArrayEnd = "\n]\n";

    private readonly ResultFormat _format;
    private readonly JoinedLists<IoTestResult> _results = new();

    /// <summary>The file is a table of earlier results, which stay as they are.</summary>
    private bool _addsRows;

    /// <summary>The file's length as this object left it; null when it must be written as a whole.</summary>
    private long? _savedLength;

    private ResultFile(OutputFile output, ResultFormat format)
    {
        Output = output;
        _format = format;
    }

    /// <summary>The file itself.</summary>
    public OutputFile Output { get; }

    /// <summary>Results of the earlier, interrupted run, then those added.</summary>
    public IReadOnlyList<IoTestResult> Results => _results;

    /// <summary>Takes the name for new results; what is there is replaced with the first of them.</summary>
    /// <param name="path">The file.</param>
    /// <param name="format">What is written into it.</param>
    /// <param name="replace">A file may be there.</param>
    /// <exception cref="IoBenchException">What <see cref="OutputFile.Claim"/> throws.</exception>
    public static ResultFile Create(string path, ResultFormat format, bool replace = false) =>
        CreateOn(path, format, replace, OutputSystem.Current);

    /// <summary>The same in another system's way.</summary>
    internal static ResultFile CreateOn(string path, ResultFormat format, bool replace, OutputSystem system) =>
        new(OutputFile.ClaimOn(new OutputRequest(path) { MayExist = replace }, system), format);

    /// <summary>Goes on with the file of an interrupted run; one that is not there or empty is as a new one.</summary>
    /// <exception cref="IoBenchException">
    /// What <see cref="OutputFile.Claim"/> and <see cref="ResultReader.ReadFile"/> throw; <c>IoBench.CannotResume</c>: only JSON keeps what was asked for.
    /// </exception>
    public static ResultFile Resume(string path, ResultFormat format)
    {
        if (format != ResultFormat.Json)
            throw IoBenchException.Usage(
                "IoBench.CannotResume",
                $"{path} would not be JSON: another format does not keep what was asked for, so it cannot be resumed.",
                path
            );
        var file = new ResultFile(OutputFile.Claim(new OutputRequest(path) { MayExist = true }), format);
        try
        {
            if (new FileInfo(file.Output.Path).Length > 0)
                file._results.Add([.. ResultReader.ReadFile(file.Output.Path, format)]);
            return file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Adds to the file of earlier results; one that is not there or empty is as a new one.</summary>
    /// <exception cref="IoBenchException">
    /// As <see cref="Resume"/>; <c>IoBench.CannotAppend</c>: only JSON and CSV can be added to, and a table only if its columns are ours.
    /// </exception>
    public static ResultFile Append(string path, ResultFormat format) => AppendOn(path, format, OutputSystem.Current);

    /// <summary>The same in another system's way.</summary>
    internal static ResultFile AppendOn(string path, ResultFormat format, OutputSystem system)
    {
        if (format == ResultFormat.Json)
        {
            CheckIsJson(path);
            return Resume(path, format);
        }
        if (format != ResultFormat.Csv)
            throw IoBenchException.Usage(
                "IoBench.CannotAppend",
                $"Nothing can be added to a file of the format {format}: use Json or Csv.",
                path
            );
        var file = new ResultFile(OutputFile.ClaimOn(new OutputRequest(path) { MayExist = true }, system), format);
        try
        {
            file._addsRows = HasOurColumns(file.Output.Path);
            return file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Adds a result and saves.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.OutputFailed</c>: the file is as it was. The result is still among <see cref="Results"/> and goes into the file with the next one.</exception>
    public void Add(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        AddAll([result]);
    }

    /// <summary>Adds results and saves once.</summary>
    /// <param name="results">The results: the list itself is kept, and shall not change.</param>
    /// <exception cref="IoBenchException"><c>IoBench.OutputFailed</c>, as <see cref="Add"/>.</exception>
    public void AddAll(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        _results.Add(results);
        if (_addsRows)
        {
            SaveRows(results);
            return;
        }
        using var earlier =
            _format == ResultFormat.Json && results.Count > 0 && _results.Count > results.Count && _savedLength is not null
                ? Output.OpenRead()
                : null;
        if (earlier is not null && earlier.Length == _savedLength)
            SaveAfter(earlier, results);
        else
            SaveAll();
    }

    /// <summary>Saves results as the file's only ones, each written when it comes and none of them kept: a log of any length. Where there is none, nothing is saved.</summary>
    /// <param name="results">The results; read once.</param>
    /// <exception cref="IoBenchException"><c>IoBench.OutputFailed</c>, as <see cref="Add"/>; what reading the results throws.</exception>
    public void Fill(IEnumerable<IoTestResult> results)
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

    /// <summary>Lets the name go; where nothing was saved, nothing stays.</summary>
    public void Dispose() => Output.Dispose();

    /// <summary>True when a file begins with our header, false when it is empty.</summary>
    /// <summary>Refuses a file that holds results in another format; what is no result at all is for the reader to say.</summary>
    private static void CheckIsJson(string path)
    {
        if (!File.Exists(path) || ResultReader.Recognise(path) is not { } found || found.WrittenAs == ResultFormat.Json)
            return;
        throw IoBenchException.Usage(
            "IoBench.CannotAppend",
            $"{path} is {found.Name}, and the format asked for is JSON: a file has one format.",
            path,
            found.WrittenAs == ResultFormat.Csv
                ? (IoText)$"Give {new OptionName("Format", "Csv")}, or name another file."
                : "Name another file."
        );
    }

    private static bool HasOurColumns(string path)
    {
        using var reader = new StreamReader(InputFile.Open(path));
        return reader.ReadLine() switch
        {
            null => false,
            var header when header == CsvResultWriter.Header => true,
            _ => throw IoBenchException.InvalidData(
                "IoBench.CannotAppend",
                $"{path} has other columns than IoBench writes, so nothing can be added to it: choose another name.",
                path
            ),
        };
    }

    private void SaveRows(IReadOnlyList<IoTestResult> added)
    {
        using var earlier = Output.OpenRead() ?? InputFile.Open(Output.Path);
        Save(stream =>
        {
            earlier.CopyTo(stream);
            // Windows replaces no file that is open, not even for this process.
            earlier.Dispose();
            stream.Position = stream.Length - 1;
            // A last line that an editor left without its end must not swallow the first row.
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
            ResultWriter.Write(writer, _results, _format);
        });

    /// <summary>The file's bytes as they are and the results behind them: a night of a thousand results is not made anew for each.</summary>
    private void SaveAfter(Stream earlier, IReadOnlyList<IoTestResult> added) =>
        Save(stream =>
        {
            earlier.CopyTo(stream);
            // As in SaveRows.
            earlier.Dispose();
            stream.SetLength(stream.Length - ArrayEnd.Length);
            stream.Position = stream.Length;
            foreach (var result in added)
            {
                using var one = new StringWriter();
                JsonResultWriter.Write(one, [result]);
                // Without the brackets that begin and end an array.
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
