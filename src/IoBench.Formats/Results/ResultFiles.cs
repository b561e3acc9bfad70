using System.Runtime.ExceptionServices;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Enumerating the results throws the exceptions of <see cref="ResultReader.ReadFile"/>. Enumerate them only once.</summary>
public sealed record ResultFileContent(string Path, IEnumerable<IoTestResult> Results)
{
    /// <summary>A message for each skipped line of a history; complete after the results were enumerated.</summary>
    public IReadOnlyList<string> PassedOver { get; init; } = [];

    /// <summary>A message for each kind of ambiguous value that was omitted; complete after the results were enumerated.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Why a file of a folder is skipped, such as <c>empty</c>; null if it is read.</summary>
    public string? SkipReason { get; init; }
}

/// <summary>Reads many files: small files ahead and on all CPUs, large files in their turn and in constant memory.</summary>
public static class ResultFiles
{
    /// <summary>Files per task. Reading a small file takes less time than starting a task for it.</summary>
    private const int FilesPerBatch = 16;

    /// <summary>In bytes. The results of small files stay in memory until their turn.</summary>
    private const long MaxSmallFileBytes = 1 << 20;

    /// <param name="expected">Required format; null = any.</param>
    public static IEnumerable<ResultFileContent> ReadFiles(IEnumerable<string> paths, ResultFormat? expected = null)
    {
        ArgumentNullException.ThrowIfNull(paths);
        return ReadAhead(paths, path => ReadWithNotes(path, (file, notes) => ResultReader.Open(file, expected, notes)));
    }

    /// <summary>
    /// Results of the files in a folder, sorted by path. Each file is opened once. A file that no reader recognizes is returned without
    /// results, with its <see cref="ResultFileContent.SkipReason"/>.
    /// </summary>
    /// <exception cref="IoBenchException">Thrown immediately: the folder does not exist or cannot be read.</exception>
    public static IEnumerable<ResultFileContent> ReadFolder(
        string folder,
        bool recurse,
        ResultFormat? expected = null,
        Action<string>? note = null
    ) =>
        ReadAhead(
            InputFiles.GetFiles(folder, recurse, note),
            path =>
            {
                string? skipReason = null;
                return ReadWithNotes(
                        path,
                        (file, notes) => ResultReader.OpenIfResult(file, expected, note: notes, skipped: reason => skipReason = reason)
                    ) ?? new ResultFileContent(path, []) { SkipReason = skipReason };
            }
        );

    /// <summary>Reads the files of a history folder without its subfolders. Skips JSON lines that are not complete results.</summary>
    public static IEnumerable<ResultFileContent> ReadHistory(string folder, Action<string>? note = null) =>
        ReadAhead(
            InputFiles.GetFiles(folder, recurse: false, note),
            path =>
            {
                List<string> passedOver = [];
                return ReadSmall(path, file => ResultReader.OpenIfResult(file, passedOver: passedOver.Add)) is { } read
                    ? read with
                    {
                        PassedOver = passedOver,
                    }
                    : null;
            }
        );

    private static IEnumerable<ResultFileContent> ReadAhead(IEnumerable<string> paths, Func<string, ResultFileContent?> read)
    {
        var pieces = new Queue<Task<List<ResultFileContent>>>();
        foreach (var piece in paths.Chunk(FilesPerBatch))
        {
            pieces.Enqueue(Task.Run(() => piece.Select(read).OfType<ResultFileContent>().ToList()));
            if (pieces.Count > 2 * Environment.ProcessorCount)
            {
                foreach (var file in pieces.Dequeue().GetAwaiter().GetResult())
                    yield return file;
            }
        }
        while (pieces.TryDequeue(out var piece))
        {
            foreach (var file in piece.GetAwaiter().GetResult())
                yield return file;
        }
    }

    private static ResultFileContent? ReadWithNotes(
        string path,
        Func<string, Action<string>, (IEnumerable<IoTestResult> Results, long Length)?> read
    )
    {
        List<string> notes = [];
        return ReadSmall(path, file => read(file, notes.Add)) is { } results ? results with { Notes = notes } : null;
    }

    private static ResultFileContent? ReadSmall(string path, Func<string, (IEnumerable<IoTestResult> Results, long Length)?> read)
    {
        try
        {
            if (read(path) is not { } opened)
                return null;
            return new(path, opened.Length is > 0 and <= MaxSmallFileBytes ? opened.Results.ToList() : opened.Results);
        }
        catch (IoBenchException error)
        {
            return new(path, ThrowOnEnumeration(ExceptionDispatchInfo.Capture(error)));
        }
        catch (OutOfMemoryException error)
        {
            // The results are read one by one, so the list of them did not fit in memory.
            return new(path, ThrowOnEnumeration(ExceptionDispatchInfo.Capture(TextInput.CreateOutOfMemoryError(path, error))));
        }
    }

    private static IEnumerable<IoTestResult> ThrowOnEnumeration(ExceptionDispatchInfo error)
    {
        error.Throw();
        yield break;
    }
}
