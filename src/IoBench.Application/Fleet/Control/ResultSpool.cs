using System.Collections;
using System.Collections.Concurrent;
using System.Text;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Stores the result lines of all members on disk, because the results of a thousand hosts do not fit in memory. If the controller
/// is killed, <c>iobench fleet merge</c> reads the file. Without a journal folder, the file is temporary and is lost with the
/// controller.</summary>
public sealed class ResultSpool : IDisposable
{
    private readonly object _gate = new();
    private readonly FileStream? _file;
    private readonly string? _folder;
    private readonly string? _path;
    private readonly ConcurrentDictionary<IoTestResult, Func<IoTestResult>> _readers = new(ReferenceEqualityComparer.Instance);
    private string? _error;
    private long _length;
    private bool _hasDeletedAbandonedFiles;

    private ResultSpool(FileStream? file, string? folder, string? path) => (_file, _folder, _path) = (file, folder, path);

    public static ResultSpool Create(string group) => Create(group, JournalFolder.Path);

    internal static ResultSpool Create(string group, string? folder)
    {
        try
        {
            if (folder is null)
                return new ResultSpool(CreateUnnamedFile(), null, null);
            JournalFolder.CreateFolder(folder);
            var path = JournalFolder.GetFilePath(folder, $"fleet-{group}.jsonl");
            var file = JournalFolder.CreateFile(path, FileMode.CreateNew, FileShare.Read);
            var spool = new ResultSpool(file, folder, path);
            spool.WriteHeader();
            return spool;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return new ResultSpool(null, null, null) { _error = e.Message };
        }
    }

    /// <summary>Closes and deletes the file.</summary>
    public void Dispose()
    {
        _file?.Dispose();
        if (_path is not null)
            TryDelete(_path);
    }

    /// <summary>Returns the warning that results stay in memory at the first call after the error; otherwise null.</summary>
    internal IoWarning? DequeueWarning() =>
        Interlocked.Exchange(ref _error, null) is { } text
            ? new IoWarning(
                WarningCodes.FleetInMemory,
                $"The results stay in memory until they are saved, because IoBench cannot write them to a temporary file: {text}"
            )
            : null;

    /// <summary>Adds a line in UTF-8. Any thread may call this method.</summary>
    /// <returns>Reads the result of the line, and remembers its location, so that the result can be trimmed and read again in
    /// full.</returns>
    internal Func<IoTestResult> Add(ReadOnlySpan<byte> line, Range result)
    {
        var readResult = AddLine(line, result);
        return () =>
        {
            var added = readResult();
            _readers[added] = readResult;
            return added;
        };
    }

    private Func<IoTestResult> AddLine(ReadOnlySpan<byte> line, Range result)
    {
        lock (_gate)
        {
            if (!_hasDeletedAbandonedFiles)
                DeleteAbandonedFiles();
            _hasDeletedAbandonedFiles = true;
            var (start, length) = result.GetOffsetAndLength(line.Length);
            if (_file is null || !TryWrite(line))
            {
                var bytes = line[result].ToArray();
                return () => JsonResultSerializer.DeserializeResult(bytes);
            }
            var offset = _length + start;
            _length += line.Length + 1;
            return () => ReadResult(offset, length);
        }
    }

    /// <summary>Reads a result again with all its details and keeps the values that were set since the first read.</summary>
    internal IoTestResult ReadComplete(IoTestResult result)
    {
        if (!_readers.TryGetValue(result, out var read))
            return result;
        var complete = read();
        complete.Member = result.Member;
        complete.GroupId = result.GroupId;
        complete.GroupHosts = result.GroupHosts;
        complete.StartTime = result.StartTime;
        complete.Host = result.Host;
        complete.CommonWindowPercent = result.CommonWindowPercent;
        complete.GroupMembers = result.GroupMembers;
        return complete;
    }

    private IoTestResult ReadResult(long offset, int length)
    {
        var bytes = new byte[length];
        try
        {
            var done = 0;
            while (done < bytes.Length)
            {
                var count = RandomAccess.Read(_file!.SafeFileHandle, bytes.AsSpan(done), offset + done);
                if (count == 0)
                    throw new EndOfStreamException("the file was truncated.");
                done += count;
            }
        }
        catch (IOException e)
        {
            throw InputFiles.CreateReadError(_path ?? "the results file of this fleet", e);
        }
        return JsonResultSerializer.DeserializeResult(bytes);
    }

    private void WriteHeader()
    {
        var header = Encoding.ASCII.GetBytes(JsonFormat.JournalHeader + "\n");
        if (TryWrite(header.AsSpan(0, header.Length - 1)))
            _length = header.Length;
    }

    private bool TryWrite(ReadOnlySpan<byte> line)
    {
        try
        {
            RandomAccess.Write(_file!.SafeFileHandle, line, _length);
            RandomAccess.Write(_file.SafeFileHandle, "\n"u8, _length + line.Length);
            return true;
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // A member can send a last result after the end of the fleet, when the file is closed.
            _error ??= e.Message;
            return false;
        }
    }

    /// <summary>Deletes files of controllers that were killed. The file of a running fleet is open and stays.</summary>
    private void DeleteAbandonedFiles()
    {
        foreach (var path in _folder is null ? [] : JournalFolder.FindOwnFiles(_folder, "fleet-", ".jsonl").Where(path => path != _path))
        {
            try
            {
                using (new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None)) { }
                TryDelete(path);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // Another running fleet has the file open, so the file is not abandoned.
            }
        }
    }

    private static FileStream CreateUnnamedFile()
    {
        // GetTempFileName creates the file with mode 0600. Unix deletes the name now, and Windows deletes the file when the handle closes,
        // however the process ends.
        var path = Path.GetTempFileName();
        var file = new FileStream(
            path,
            FileMode.Open,
            FileAccess.ReadWrite,
            FileShare.None,
            bufferSize: 0,
            OperatingSystem.IsWindows() ? FileOptions.DeleteOnClose : FileOptions.None
        );
        if (!OperatingSystem.IsWindows())
            File.Delete(path);
        return file;
    }

    private static void TryDelete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A virus scanner can have the file open. The next fleet deletes it.
        }
    }
}

/// <summary>Reads each complete result from the spool on access, so that memory holds only the trimmed results.</summary>
internal sealed class SpooledResults(IReadOnlyList<IoTestResult> slim, ResultSpool spool) : IReadOnlyList<IoTestResult>
{
    public int Count => slim.Count;

    public IoTestResult this[int index] => spool.ReadComplete(slim[index]);

    public IEnumerator<IoTestResult> GetEnumerator() => slim.Select(spool.ReadComplete).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
