using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads JSON lines of a history: one result per line. Skips lines that are not a complete result.</summary>
public static class JsonLineReader
{
    public const string Extension = ".jsonl";

    /// <param name="passedOver">Receives a message for each skipped line, and for each line with impossible values; null = no
    /// messages.</param>
    public static IEnumerable<IoTestResult> ReadFile(string path, Action<string>? passedOver = null)
    {
        using var stream = InputFiles.Open(path);
        using var results = Read(stream, path, passedOver).GetEnumerator();
        while (TryMoveNext(results, path))
            yield return results.Current;
    }

    internal static bool HasJsonLinesExtension(string path) => path.EndsWith(Extension, StringComparison.OrdinalIgnoreCase);

    internal static IEnumerable<IoTestResult> Read(Stream stream, string path, Action<string>? passedOver)
    {
        using var reader = new StreamReader(stream);
        for (var number = 1; reader.ReadLine() is { } line; number++)
        {
            if (!string.IsNullOrWhiteSpace(line) && Parse(line, number, path, passedOver) is { } result)
                yield return result;
        }
    }

    private static IoTestResult? Parse(string line, int number, string path, Action<string>? passedOver)
    {
        try
        {
            using var bytes = new MemoryStream(Encoding.UTF8.GetBytes(line));
            var result = JsonResultReader.Read(bytes, path).FirstOrDefault();
            if (result is not null && ResultValidator.RemoveImpossibleValues(result) is { } removed)
                passedOver?.Invoke($"{path} line {NumberFormat.Integer(number)}: IoBench ignores impossible values: {removed}.");
            return result;
        }
        catch (IoBenchException e) when (e.ErrorId == ErrorIds.InvalidJson)
        {
            passedOver?.Invoke($"{path} line {NumberFormat.Integer(number)} is not a complete result, so IoBench ignores it.");
            return null;
        }
    }

    private static bool TryMoveNext(IEnumerator<IoTestResult> results, string path)
    {
        try
        {
            return results.MoveNext();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw TextInput.CreateReadError(path, e);
        }
        catch (OutOfMemoryException e)
        {
            throw TextInput.CreateOutOfMemoryError(path, e);
        }
    }
}
