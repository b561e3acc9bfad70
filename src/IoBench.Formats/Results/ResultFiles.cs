using System.Runtime.ExceptionServices;

namespace IoBench.Formats.Results;

/// <summary>One of many files that are read.</summary>
/// <param name="Path">The file.</param>
/// <param name="Results">Its results; going through them throws what <see cref="ResultReader.ReadFile"/> throws. To be gone through once.</param>
public sealed record ReadResultFile(string Path, IEnumerable<IoTestResult> Results)
{
    /// <summary>A line on each line of a history that was passed over; complete once the results were gone through.</summary>
    public IReadOnlyList<string> PassedOver { get; init; } = [];

    /// <summary>A line on each kind of values that were left out, since the file leaves them in doubt; complete once the results were gone through.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>Reads many files: small ones ahead and on all processors, large ones when it is their turn, in constant memory.</summary>
public static class ResultFiles
{
    /// <summary>Files that are read as one piece of work: a small one takes less time than to hand it over.</summary>
    private const int FilesAPiece = 16;

    /// <summary>In bytes; what is read ahead is kept until its turn comes.</summary>
    private const long SmallFile = 1 << 20;

    /// <summary>The files in their order.</summary>
    /// <param name="paths">The files.</param>
    /// <param name="expected">The format they must have; null = any.</param>
    public static IEnumerable<ReadResultFile> Read(IEnumerable<string> paths, ResultFormat? expected = null)
    {
        ArgumentNullException.ThrowIfNull(paths);
        return ReadAhead(paths, path => ReadNoted(path, (file, notes) => ResultReader.Open(file, expected, notes)));
    }

    /// <summary>The files of a folder that hold results, sorted by path; none when there is none. Each is opened once.</summary>
    /// <param name="recurse">With its subfolders.</param>
    /// <param name="expected">The format they must have; null = any.</param>
    /// <param name="note">Receives in one line what <see cref="InputFolder"/> leaves out; null = nobody listens.</param>
    /// <exception cref="IoBenchException">At once: <c>IoBench.FileNotFound</c>, <c>IoBench.CannotRead</c>: the folder.</exception>
    public static IEnumerable<ReadResultFile> ReadFolder(
        string folder,
        bool recurse,
        ResultFormat? expected = null,
        Action<string>? note = null
    ) =>
        ReadAhead(
            InputFolder.Files(folder, recurse, note),
            path => ReadNoted(path, (file, notes) => ResultReader.OpenIfResult(file, expected, note: notes))
        );

    /// <summary>The same of a history's folder, without its subfolders: of its JSON lines those are passed over that are no whole result.</summary>
    /// <param name="note">As of <see cref="ReadFolder"/>.</param>
    /// <exception cref="IoBenchException">As <see cref="ReadFolder"/>.</exception>
    public static IEnumerable<ReadResultFile> ReadHistory(string folder, Action<string>? note = null) =>
        ReadAhead(
            InputFolder.Files(folder, recurse: false, note),
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

    private static IEnumerable<ReadResultFile> ReadAhead(IEnumerable<string> paths, Func<string, ReadResultFile?> read)
    {
        var pieces = new Queue<Task<List<ReadResultFile>>>();
        foreach (var piece in paths.Chunk(FilesAPiece))
        {
            pieces.Enqueue(Task.Run(() => piece.Select(read).OfType<ReadResultFile>().ToList()));
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

    private static ReadResultFile? ReadNoted(string path, Func<string, Action<string>, ResultReader.OpenedResults?> read)
    {
        List<string> notes = [];
        return ReadSmall(path, file => read(file, notes.Add)) is { } results ? results with { Notes = notes } : null;
    }

    private static ReadResultFile? ReadSmall(string path, Func<string, ResultReader.OpenedResults?> read)
    {
        try
        {
            if (read(path) is not { } opened)
                return null;
            return new(path, opened.Length is > 0 and <= SmallFile ? opened.Results.ToList() : opened.Results);
        }
        catch (IoBenchException error)
        {
            return new(path, Failing(ExceptionDispatchInfo.Capture(error)));
        }
        catch (OutOfMemoryException error)
        {
            // The list of its results, which are read one by one.
            return new(path, Failing(ExceptionDispatchInfo.Capture(TextInput.NotEnoughMemory(path, error))));
        }
    }

    private static IEnumerable<IoTestResult> Failing(ExceptionDispatchInfo error)
    {
        error.Throw();
        yield break;
    }
}
