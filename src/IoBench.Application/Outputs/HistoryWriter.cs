using System.Globalization;
using System.Text;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <param name="Known">Number of results that the history already contained, or that occurred twice.</param>
/// <param name="Incomplete">Number of runs that ended before their results. They are added once they are complete.</param>
/// <param name="Files">Files of the history that were written.</param>
public sealed record HistoryImportResult(
    IReadOnlyList<IoTestResult> Added,
    int Known,
    int Incomplete,
    IReadOnlyList<string> Files,
    IReadOnlyList<IoBenchException> Failures,
    IReadOnlyList<string> Notes
)
{
    /// <summary>Returns a sentence such as <c>3 results added; 12 were there already</c>.</summary>
    public override string ToString()
    {
        var text = NumberFormat.Pluralize(Added.Count, "result") + " added";
        if (Files.Count > 0)
            text += $" to {string.Join(", ", Files)}";
        if (Known > 0)
            text += string.Create(CultureInfo.InvariantCulture, $"; {Known} {(Known == 1 ? "was" : "were")} already in the history");
        return Incomplete > 0
            ? text
                + string.Create(
                    CultureInfo.InvariantCulture,
                    $"; {Incomplete} incomplete {(Incomplete == 1 ? "run" : "runs")} ignored, because the output ends before the results"
                )
            : text;
    }
}

/// <summary>Adds results to a history. A result that the history contains is not added again. A result is identified by its content, not by
/// the name or time of its file, so the same folder can be imported repeatedly.</summary>
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
            _fingerprints.UnionWith(ResultHistory.Read(folder).Select(ComputeFingerprint));
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

    internal bool Contains(IoTestResult result) => _fingerprints.Contains(ComputeFingerprint(result));

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
                var fresh = group.Where(result => !Contains(result)).DistinctBy(ComputeFingerprint).ToList();
                if (fresh.Count == 0)
                    continue;
                AppendLines(file, fresh.Select(ResultHistory.FormatLine));
                _fingerprints.UnionWith(fresh.Select(ComputeFingerprint));
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
                _fingerprints.Add(ComputeFingerprint(result));
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

    /// <summary>Adds each result of files and folders of any tool that the history does not contain. The results of a file are saved
    /// before the next file is read.</summary>
    /// <param name="keep">False to return what would be added without writing.</param>
    public static HistoryImportResult ImportResults(string folder, IEnumerable<string> paths, bool keep = true)
    {
        var history = new HistoryWriter(folder);
        history.Read();
        HashSet<string> met = [];
        List<IoTestResult> added = [],
            pending = [];
        SortedSet<string> files = new(StringComparer.Ordinal);
        List<IoBenchException> failures = [];
        List<string> notes = [];
        var known = 0;
        var incomplete = 0;
        foreach (var item in ResultImporter.Read(paths, new ImportOptions { Recurse = true }))
        {
            switch (item)
            {
                case ImportedResult { Result.Status: IoResultStatus.Incomplete }:
                    incomplete++;
                    break;
                case ImportedResult { Result: var result } when !history.Contains(result) && met.Add(ComputeFingerprint(result)):
                    pending.Add(result);
                    break;
                case ImportedResult:
                    known++;
                    break;
                case ImportFailure failure:
                    failures.Add(failure.Error);
                    break;
                case ImportNote { Incomplete: null } note:
                    notes.Add(note.Text);
                    break;
                case ImportedFile:
                    Flush();
                    break;
            }
        }
        Flush();
        return new HistoryImportResult(added, known, incomplete, [.. files], failures, notes);

        void Flush()
        {
            var fresh = (IReadOnlyList<IoTestResult>)[.. pending];
            if (keep && pending.Count > 0)
            {
                (fresh, var written) = history.AppendNew(pending);
                files.UnionWith(written);
            }
            added.AddRange(fresh);
            known += pending.Count - fresh.Count;
            pending.Clear();
        }
    }

    /// <summary>Do not add properties of later versions: a file that is imported again would no longer equal the stored result.</summary>
    internal static string ComputeFingerprint(IoTestResult r)
    {
        var text = new StringBuilder();
        foreach (
            var value in (object?[])
                [
                    r.Source,
                    r.ToolVersion,
                    r.Status,
                    r.RunId,
                    r.Label,
                    r.Workload,
                    r.ComputerName,
                    r.StartTime?.UtcTicks,
                    r.Path,
                    r.FileSizeMB,
                    r.ThreadCount,
                    r.OutstandingIO,
                    r.BlockSizeKB,
                    r.Operation,
                    r.WritePercent,
                    r.AccessPattern,
                    r.Buffering,
                    r.TargetIops,
                    r.Repeat,
                    r.DurationSeconds,
                    r.IOCount,
                    r.ByteCount,
                    r.IOPS,
                    r.BandwidthMBps,
                    r.ReadIOPS,
                    r.WriteIOPS,
                    r.ReadMBps,
                    r.WriteMBps,
                    r.AverageLatencyMs,
                    r.MinLatencyMs,
                    r.MaxLatencyMs,
                    r.LatencyStdDevMs,
                    r.P50Ms,
                    r.P99Ms,
                    r.ReadAverageLatencyMs,
                    r.WriteAverageLatencyMs,
                    r.CpuPercent,
                    r.ErrorMessage,
                ]
        )
            text.Append(Convert.ToString(value, CultureInfo.InvariantCulture)).Append('\0');
        return Convert.ToHexString(CryptoLibrary.ComputeSha256(Encoding.UTF8.GetBytes(text.ToString())));
    }
}
