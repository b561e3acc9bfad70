using System.Text;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Adds results to a history. A result that the history contains is not added again.</summary>
public sealed class HistoryWriter(string folder)
{
    private readonly HashSet<string> _fingerprints = [];

    // How far each file was read. Files of a history only grow.
    private readonly Dictionary<string, long> _readLengths = new(StringComparer.Ordinal);
    private bool _isRead;

    /// <summary>Number of results that the history already contained.</summary>
    public int Known { get; private set; }

    /// <summary>Why the history could not be read, so that a result can be added twice; null if it was read.</summary>
    public IoBenchException? Unread { get; private set; }

    public void Add(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        if (!_isRead)
            TryRead();
        Known += results.Count - AppendNew(results).Added.Count;
    }

    /// <summary>Reads the whole history, so that its results are known.</summary>
    internal void Read()
    {
        _isRead = true;
        if (!Directory.Exists(folder))
            return;
        // Note the lengths first, so that a line that is added in the meantime is read again rather than missed.
        foreach (var file in new DirectoryInfo(folder).EnumerateFiles("*" + ResultHistory.Extension))
            _readLengths[Path.Combine(folder, file.Name)] = file.Length;
        try
        {
            _fingerprints.UnionWith(ResultHistory.Read(folder).Select(HistoryImporter.ComputeFingerprint));
        }
        catch (IoBenchException error) when (error.ErrorId == ErrorIds.NoResultFiles)
        {
            // A new folder.
        }
    }

    private void TryRead()
    {
        try
        {
            Read();
        }
        catch (IoBenchException error)
        {
            // A damaged file in the folder must not prevent saving a new result.
            Unread = error;
            _readLengths.Clear();
        }
    }

    internal bool Contains(IoTestResult result) => _fingerprints.Contains(HistoryImporter.ComputeFingerprint(result));

    private static readonly TimeSpan s_lockTimeout = TimeSpan.FromSeconds(10);

    /// <summary>Appends results to a folder, which is created if it does not exist. Several processes can append concurrently: a result
    /// that its file contains is not added again.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.CannotWrite</c>, <c>IoBench.BadLink</c>, <c>IoBench.NotAFile</c>.</exception>
    public static IReadOnlyList<string> AppendResults(string folder, IEnumerable<IoTestResult> results) =>
        new HistoryWriter(folder).AppendNew([.. results]).Files;

    internal (IReadOnlyList<IoTestResult> Added, IReadOnlyList<string> Files) AppendNew(IReadOnlyList<IoTestResult> results)
    {
        List<IoTestResult> added = [];
        List<string> files = [];
        try
        {
            foreach (var group in results.Where(result => !Contains(result)).GroupBy(ResultHistory.GetFileName))
            {
                Directory.CreateDirectory(folder);
                var path = Path.Combine(folder, group.Key);
                using var file = OpenExclusively(path);
                // Another process can have added results since the history was read.
                ReadAdded(path, file);
                var fresh = group.Where(result => !Contains(result)).DistinctBy(HistoryImporter.ComputeFingerprint).ToList();
                if (fresh.Count == 0)
                    continue;
                AppendLines(file, fresh.Select(ResultHistory.FormatLine));
                _fingerprints.UnionWith(fresh.Select(HistoryImporter.ComputeFingerprint));
                _readLengths[path] = file.Length;
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

    /// <summary>Reads the lines that were added to a file since it was read last.</summary>
    private void ReadAdded(string path, FileStream file)
    {
        var start = _readLengths.GetValueOrDefault(path);
        if (start == file.Length)
            return;
        file.Position = start < file.Length ? FindLineStart(file, start) : 0;
        using var reader = new StreamReader(file, Encoding.UTF8, leaveOpen: true);
        while (reader.ReadLine() is { } line)
        {
            if (TryParse(line, path) is { } result)
                _fingerprints.Add(HistoryImporter.ComputeFingerprint(result));
        }
        _readLengths[path] = file.Length;
    }

    // Another process can have been writing a line when the length was noted.
    private static long FindLineStart(FileStream file, long position)
    {
        for (; position > 0; position--)
        {
            file.Position = position - 1;
            if (file.ReadByte() == '\n')
                break;
        }
        return position;
    }

    private static IoTestResult? TryParse(string line, string path)
    {
        try
        {
            using var bytes = new MemoryStream(Encoding.UTF8.GetBytes(line));
            return JsonFormat.Read(bytes, path).FirstOrDefault();
        }
        catch (IoBenchException e) when (e.ErrorId == ErrorIds.InvalidJson)
        {
            // An incomplete line of a killed process.
            return null;
        }
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
