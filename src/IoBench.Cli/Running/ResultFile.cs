using System.Text;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Running;

/// <summary>
/// The file of <c>--output</c>: written anew beside it and renamed after each run, so that whatever happens it holds every finished
/// result and is never half written.
/// </summary>
internal sealed class ResultFile(string path, ResultFormat format)
{
    private readonly List<IoTestResult> _results = [];

    /// <summary>The results in it.</summary>
    public IReadOnlyList<IoTestResult> Results => _results;

    /// <summary>Starts with what the file already holds, when it is there.</summary>
    public void Load()
    {
        if (File.Exists(path) && new FileInfo(path).Length > 0)
            _results.AddRange(ResultReader.ReadFile(path, format));
    }

    /// <summary>Adds a result and saves.</summary>
    public void Add(IoTestResult result)
    {
        _results.Add(result);
        Save();
    }

    /// <summary>Adds results and saves once.</summary>
    public void AddAll(IEnumerable<IoTestResult> results)
    {
        _results.AddRange(results);
        Save();
    }

    private void Save()
    {
        var temporary = path + ".tmp";
        try
        {
            using (var writer = new StreamWriter(temporary, append: false, new UTF8Encoding(false)))
                ResultWriter.Write(writer, _results, format);
            File.Move(temporary, path, overwrite: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw IoBenchException.Failure("IoBench.OutputFailed", $"{path} could not be written: {error.Message.TrimEnd('.')}. Results so far: {_results.Count}.", path, error);
        }
    }
}
