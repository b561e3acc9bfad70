using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Loader;

/// <summary>
/// Reads a file's results one by one. PowerShell cannot step through an iterator itself (its GetEnumerator is there twice),
/// and its foreach would catch the errors of whoever takes the results together with those of reading.
/// </summary>
public sealed class ResultCursor : IDisposable
{
    private readonly IEnumerator<IoTestResult> _results;

    /// <summary>Opens a file; see <see cref="ResultReader.ReadFile"/>.</summary>
    /// <exception cref="IoBenchException">The file cannot be read or is not of the expected format.</exception>
    public ResultCursor(string path, ResultFormat? expected) => _results = ResultReader.ReadFile(path, expected).GetEnumerator();

    /// <summary>The result that <see cref="MoveNext"/> went to.</summary>
    public IoTestResult Current => _results.Current;

    /// <summary>Why reading broke off; null when it did not.</summary>
    public IoBenchException? Error { get; private set; }

    /// <summary>Goes to the next result; false at the end, and when what follows cannot be understood: then <see cref="Error"/> says why.</summary>
    public bool MoveNext()
    {
        try
        {
            return _results.MoveNext();
        }
        catch (IoBenchException error)
        {
            Error = error;
            return false;
        }
    }

    /// <summary>Closes the file.</summary>
    public void Dispose() => _results.Dispose();
}
