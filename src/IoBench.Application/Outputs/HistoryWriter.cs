using System.Text;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Adds results to a history as they arrive. A result that the history contains is not added again.</summary>
public sealed class HistoryWriter(string folder)
{
    private HistoryContent? _known;

    /// <summary>Number of results that the history already contained.</summary>
    public int Known { get; private set; }

    /// <summary>Why the history could not be read, so that a result can be added twice; null if it was read.</summary>
    public IoBenchException? Unread { get; private set; }

    public void Add(IReadOnlyList<IoTestResult> results)
    {
        _known ??= ReadKnown();
        var added = AppendNew(folder, results, _known).Added;
        Known += results.Count - added.Count;
    }

    private HistoryContent ReadKnown()
    {
        try
        {
            return HistoryContent.Read(folder);
        }
        catch (IoBenchException error)
        {
            // A damaged file in the folder must not prevent saving a new result.
            Unread = error;
            return new HistoryContent();
        }
    }

    private static readonly TimeSpan s_lockTimeout = TimeSpan.FromSeconds(10);

    /// <summary>Appends results to a folder, which is created if it does not exist. Several processes can append concurrently: a result
    /// that
    /// its file contains is not added again.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.CannotWrite</c>, <c>IoBench.BadLink</c>, <c>IoBench.NotAFile</c>.</exception>
    public static IReadOnlyList<string> AppendResults(string folder, IEnumerable<IoTestResult> results) =>
        AppendNew(folder, [.. results], new HistoryContent()).Files;

    internal static (IReadOnlyList<IoTestResult> Added, IReadOnlyList<string> Files) AppendNew(
        string folder,
        IReadOnlyList<IoTestResult> results,
        HistoryContent known
    )
    {
        List<IoTestResult> added = [];
        List<string> files = [];
        try
        {
            foreach (var group in results.Where(result => !known.Contains(result)).GroupBy(ResultHistory.GetFileName))
            {
                Directory.CreateDirectory(folder);
                var path = Path.Combine(folder, group.Key);
                using var file = OpenExclusively(path);
                // Another process can have added results since the history was read.
                known.ReadAdded(path, file);
                var fresh = group.Where(result => !known.Contains(result)).DistinctBy(HistoryImporter.ComputeFingerprint).ToList();
                if (fresh.Count == 0)
                    continue;
                AppendLines(file, fresh.Select(ResultHistory.FormatLine));
                known.Add(path, file.Length, fresh);
                added.AddRange(fresh);
                files.Add(path);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            throw IoBenchException.Failure(
                "IoBench.CannotWrite",
                $"IoBench cannot create or write the history folder {folder}: {e.Message}",
                folder,
                e
            );
        }
        return (added, files);
    }

    private static void AppendLines(FileStream file, IEnumerable<string> lines)
    {
        var text = new UTF8Encoding(false).GetBytes(string.Concat(lines.Select(l => l + "\n")));
        var length = file.Length;
        // The process that wrote the last line can have been killed, so the line can lack its line feed.
        if (length > 0)
        {
            file.Seek(-1, SeekOrigin.End);
            if (file.ReadByte() != '\n')
                text = [(byte)'\n', .. text];
        }
        try
        {
            file.Seek(0, SeekOrigin.End);
            file.Write(text);
            file.Flush(flushToDisk: true);
        }
        catch (IOException)
        {
            // Remove the partial line that a full disk leaves.
            file.SetLength(length);
            throw;
        }
    }

    private static FileStream OpenExclusively(string path)
    {
        for (var end = DateTime.UtcNow + s_lockTimeout; ; Thread.Sleep(20))
        {
            CheckOwnFile(path);
            try
            {
                // Readers do not lock on Linux. On Windows, they need permission to open the file meanwhile.
                var share = OperatingSystem.IsWindows() ? FileShare.Read : FileShare.None;
                var file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, share, bufferSize: 1);
                if (
                    PlatformFiles.Current.TryGetStatus(Path.GetFullPath(path))?.Identity
                    == PlatformFiles.Current.GetStatus(file.SafeFileHandle, path).Identity
                )
                    return file;
                // Another process replaced the file after the check.
                file.Dispose();
            }
            catch (IOException e) when (e is not (DirectoryNotFoundException or PathTooLongException) && DateTime.UtcNow < end)
            {
                // Another process is appending to the file: try again.
            }
        }
    }

    private static void CheckOwnFile(string path)
    {
        PlatformFiles.Current.CheckFolderLinks(Path.GetFullPath(path));
        if (PlatformFiles.Current.TryGetStatus(Path.GetFullPath(path)) is not { } status)
            return;
        if (status.Kind == FileKind.Link || status is { Kind: FileKind.Regular, LinkCount: > 1 })
            throw IoBenchException.Refused(
                "IoBench.BadLink",
                $"{path} is a symbolic link, or has more than one hard link. IoBench writes the history only to its own files.",
                path,
                advice: "Remove the link."
            );
        if (status.Kind != FileKind.Regular)
            throw IoBenchException.Refused(
                ErrorIds.NotAFile,
                $"{path} is not a file, so IoBench cannot store the history in it.",
                path,
                advice: "Remove it."
            );
    }
}
