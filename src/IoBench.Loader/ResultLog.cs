using System.Text;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Loader;

/// <summary>
/// A JSON file of results that is complete after each one: what an interrupted night has measured is not lost.
/// A result replaces the closing bracket of the array by itself and a new bracket, in one write.
/// </summary>
public sealed class ResultLog
{
    private readonly string _path;

    /// <summary>A new file, or with <paramref name="resume"/> the results of the file that is there.</summary>
    /// <exception cref="IoBenchException">The file to continue is no JSON file of results.</exception>
    public ResultLog(string path, bool resume)
    {
        _path = path;
        if (resume && File.Exists(path))
        {
            if (new FileInfo(path).Length > 0)
                Results.AddRange(ResultReader.ReadFile(path, ResultFormat.Json));
            return;
        }
        File.WriteAllText(path, "[\n]\n");
    }

    /// <summary>Results of the earlier, interrupted call, then those added.</summary>
    public List<IoTestResult> Results { get; } = [];

    /// <summary>Adds a result to the file at once.</summary>
    public void Add(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        using var array = new StringWriter();
        ResultWriter.Write(array, [result], ResultFormat.Json);
        // The writer makes an array of one: [ {...} ].
        var one = array.ToString().Trim()[1..^1].Trim('\r', '\n');
        using var file = new FileStream(_path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.Read);
        var end = PositionOfLastBracket(file);
        var before = end < 0 ? "[\n" : Results.Count == 0 ? "\n" : ",\n";
        file.Position = Math.Max(end, 0);
        file.Write(Encoding.UTF8.GetBytes($"{before}{one}\n]\n"));
        file.SetLength(file.Position);
        file.Flush(flushToDisk: true);
        Results.Add(result);
    }

    /// <summary>Where the array's bracket is, less the white space before it; -1 in an empty file.</summary>
    private static long PositionOfLastBracket(FileStream file)
    {
        var seen = false;
        for (var position = file.Length - 1; position >= 0; position--)
        {
            file.Position = position;
            var sign = file.ReadByte();
            if (!seen && sign == ']')
                seen = true;
            else if (!" \t\r\n".Contains((char)sign, StringComparison.Ordinal))
                return seen ? position + 1 : throw IoBenchException.InvalidData("IoBench.BrokenOutput", $"{file.Name} does not end as a JSON array: results cannot be added to it. Choose another file.", file.Name);
        }
        return -1;
    }
}
