using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine.Tests;

/// <summary>
/// A model of NTFS as far as IoBench depends on it, from Microsoft's documentation ("File Times", SetFileValidData, CreateFile, ReOpenFile,
/// LockFileEx, [MS-FSA]): times that change when a handle that changed the file is closed, streams, valid data, a privilege that applies
/// when the file is opened, share modes, removal after the last handle is closed, names of 260 characters, reparse points, and sectors of
/// unbuffered I/O. Differences of other file systems are properties. The model notices a closed handle at the next call.
/// </summary>
internal sealed unsafe partial class ModelNtfs : WindowsFileCalls
{
    private const int MaxPath = 260;
    private const uint ReadRights = GENERIC_READ,
        WriteRights = GENERIC_WRITE;

    private readonly object _gate = new();
    private readonly Dictionary<string, ModelFile> _files = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<ModelHandle> _open = [];
    private readonly ulong _serial = (ulong)Random.Shared.NextInt64();
    private long _clock = 133_000_000_000_000_000;
    private nint _nextHandle = 1 << 28;
    private ulong _nextId = 5;
    private bool _isEnabled;

    /// <summary>True if times change when a handle that changed the file is closed; false if they change with the write.</summary>
    public bool UpdatesTimesAtClose { get; init; } = true;

    /// <summary>
    /// True if closing changes the time even though the caller set it with the same handle. No known file system does this.
    /// </summary>
    public bool IgnoresSetTimes { get; init; }

    /// <summary>Resolution of times in units of 100 ns: 2 s on FAT.</summary>
    public long TimeStep { get; init; } = 1;
    public bool SupportsStreams { get; init; } = true;

    public bool HoldsPrivilege { get; init; } = true;
    public int SectorSize { get; init; } = 512;

    /// <summary>
    /// Called with the call number and name before each call that changes or opens a file. Returns the error of the call; 0 = no error, -1
    /// = the process is killed.
    /// </summary>
    public Func<int, string, int>? FaultInjector { get; set; }

    public int CallCount { get; private set; }

    public List<(string Path, uint Access, uint Share, uint Flags)> OpenCalls { get; } = [];

    public IEnumerable<string> WrittenFiles => _files.Where(f => f.Value.WriteCount > 0).Select(f => f.Key);

    public string VolumeSerial => _serial.ToString("x", System.Globalization.CultureInfo.InvariantCulture);

    public ModelFile AddFile(string path, byte[]? content = null, ulong? volume = null)
    {
        var file = _files[GetKey(path)] = new ModelFile(_nextId++) { Modified = GetNextTime(), VolumeSerial = volume };
        file.MainStream.Write(content ?? [], 0);
        return file;
    }

    public ModelFile? FindFile(string path)
    {
        lock (_gate)
        {
            RemoveClosedHandles();
            return _files.GetValueOrDefault(GetKey(path));
        }
    }

    public void RemoveFile(string path) => _files.Remove(GetKey(path));

    /// <summary>Ends the process: closes all handles and stops injecting faults.</summary>
    public void EndProcess()
    {
        FaultInjector = null;
        foreach (var open in _open)
            open.Handle.Dispose();
        RemoveClosedHandles();
    }

    /// <summary>
    /// Number of open handles that used the file cache. While there is one, Windows keeps unbuffered I/O coherent with the cache, which
    /// costs time.
    /// </summary>
    public int CountCachedHandles(string path)
    {
        lock (_gate)
        {
            RemoveClosedHandles();
            return _open.Count(o => o.UsedCache && o.File == _files.GetValueOrDefault(GetKey(path)) && o.Stream == o.File.MainStream);
        }
    }

    public override int Open(string path, uint access, uint share, uint disposition, uint flags, out SafeFileHandle file)
    {
        lock (_gate)
        {
            OpenCalls.Add((path, access, share, flags));
            file = new SafeFileHandle(-1, ownsHandle: false);
            if (GetInjectedError() is not 0 and var error)
                return error;
            RemoveClosedHandles();
            if (path.Length >= MaxPath && !path.StartsWith(@"\\?\", StringComparison.Ordinal))
                return ERROR_PATH_NOT_FOUND;
            return OpenNamed(path, access, share, disposition, flags, ref file);
        }
    }

    public override int Reopen(SafeFileHandle file, uint access, uint share, uint flags, out SafeFileHandle reopened)
    {
        lock (_gate)
        {
            reopened = new SafeFileHandle(-1, ownsHandle: false);
            if (GetInjectedError() is not 0 and var error)
                return error;
            var known = GetOpenHandle(file);
            return AddHandle(known.File, known.Stream, known.Name, access, share, flags, known.BypassesFilter, ref reopened);
        }
    }

    public override int SetWriteTime(SafeFileHandle file, long time)
    {
        lock (_gate)
        {
            if (GetInjectedError() is not 0 and var error)
                return error;
            var open = GetOpenHandle(file);
            open.HasFixedTime = !IgnoresSetTimes;
            if (time != -1)
                open.File.Modified = time - time % TimeStep;
            return 0;
        }
    }

    public override int SetValidData(SafeFileHandle file, long length)
    {
        lock (_gate)
        {
            var open = GetOpenHandle(file);
            if (!open.HasPrivilege)
                return ERROR_PRIVILEGE_NOT_HELD;
            if (length < open.Stream.ValidData || length > open.Stream.Length)
                return ERROR_INVALID_PARAMETER;
            open.Stream.ValidData = length;
            return 0;
        }
    }

    public override int Lock(SafeFileHandle file, uint flags, long start, uint length)
    {
        lock (_gate)
        {
            var open = GetOpenHandle(file);
            var exclusive = (flags & LOCKFILE_EXCLUSIVE_LOCK) != 0;
            if (
                _open
                    .Where(o => o.File == open.File && o.Stream == open.Stream)
                    .SelectMany(o => o.Locks)
                    .Any(l => l.Start < start + length && start < l.End && (exclusive || l.Exclusive))
            )
                return ERROR_LOCK_VIOLATION;
            open.Locks.Add((start, start + length, exclusive));
            return 0;
        }
    }

    public override int Unlock(SafeFileHandle file, long start, uint length)
    {
        lock (_gate)
            return GetOpenHandle(file).Locks.RemoveAll(l => l.Start == start && l.End == start + length) > 0 ? 0 : 158;
    }

    public override int Read(SafeFileHandle file, Span<byte> buffer, long offset)
    {
        lock (_gate)
        {
            var open = GetOpenHandle(file);
            CheckSectors(open, buffer, offset);
            // The content of a deduplicated file is only available through its filter.
            if (!open.BypassesFilter || open.File.ReparseTag == 0)
                return open.Stream.Read(buffer, offset);
            var length = (int)Math.Clamp(open.Stream.Length - offset, 0, buffer.Length);
            buffer[..length].Clear();
            return length;
        }
    }

    public override void Write(SafeFileHandle file, ReadOnlySpan<byte> buffer, long offset)
    {
        lock (_gate)
        {
            ThrowInjectedError();
            var open = GetOpenHandle(file);
            if ((open.Access & WriteRights) == 0)
                throw new UnauthorizedAccessException("Access denied.");
            CheckSectors(open, buffer, offset);
            open.Stream.Write(buffer, offset);
            open.File.WriteCount++;
            MarkChanged(open);
        }
    }

    public override void SetLength(SafeFileHandle file, long length)
    {
        lock (_gate)
        {
            ThrowInjectedError();
            var open = GetOpenHandle(file);
            open.Stream.SetLength(length);
            open.File.WriteCount++;
            MarkChanged(open);
        }
    }

    public override void Flush(SafeFileHandle file)
    {
        lock (_gate)
            ThrowInjectedError();
    }

    public override bool EnablePrivilege(string name) => _isEnabled = HoldsPrivilege;

    private int OpenNamed(string path, uint access, uint share, uint disposition, uint flags, ref SafeFileHandle handle)
    {
        var (name, streamName) = SplitStreamName(path);
        var file = _files.GetValueOrDefault(name);
        if (file is { IsDeletePending: true })
            return ERROR_ACCESS_DENIED;
        if (file is null && Directory.Exists(name))
            file = new ModelFile(1) { Attributes = FILE_ATTRIBUTE_DIRECTORY | FolderAttributes };
        if (file is { LinkTarget: { } target } && (flags & FILE_FLAG_OPEN_REPARSE_POINT) == 0)
            return OpenNamed(target, access, share, disposition, flags, ref handle);
        if (file is not null && disposition == CREATE_NEW && streamName is null)
            return ERROR_FILE_EXISTS;
        if (file is null)
        {
            if (disposition == OPEN_EXISTING || streamName is not null)
                return ERROR_FILE_NOT_FOUND;
            file = _files[name] = new ModelFile(_nextId++) { Modified = GetNextTime() };
        }
        var isBare = file.ReparseTag != 0 && (flags & FILE_FLAG_OPEN_REPARSE_POINT) != 0;
        if (streamName is null)
            return AddHandle(file, file.MainStream, path, access, share, flags, isBare, ref handle);
        if (!file.Streams.TryGetValue(streamName, out var stream))
        {
            if (disposition == OPEN_EXISTING)
                return ERROR_FILE_NOT_FOUND;
            file.Streams.Add(streamName, stream = new ModelStream());
            var made = AddHandle(file, stream, path, access, share, flags, isBare, ref handle);
            if (made == 0)
                MarkChanged(GetOpenHandle(handle));
            return made;
        }
        if (disposition == CREATE_ALWAYS)
            stream.SetLength(0);
        return AddHandle(file, stream, path, access, share, flags, isBare, ref handle);
    }

    private int AddHandle(
        ModelFile file,
        ModelStream stream,
        string name,
        uint access,
        uint share,
        uint flags,
        bool isBare,
        ref SafeFileHandle handle
    )
    {
        RemoveClosedHandles();
        foreach (var other in _open.Where(o => o.File == file && (o.Stream == stream || ((access | o.Access) & DELETE) != 0)))
        {
            if (
                HasDataAccess(access)
                && HasDataAccess(other.Access)
                && (!AllowsSharing(access, other.Share) || !AllowsSharing(other.Access, share))
            )
                return ERROR_SHARING_VIOLATION;
        }
        handle = new SafeFileHandle(_nextHandle++, ownsHandle: false);
        _open.Add(new ModelHandle(handle, file, stream, name, access, share, flags) { HasPrivilege = _isEnabled, BypassesFilter = isBare });
        return 0;
    }

    private static bool HasDataAccess(uint access) => (access & (ReadRights | WriteRights | DELETE)) != 0;

    private static bool AllowsSharing(uint access, uint share) =>
        ((access & ReadRights) == 0 || (share & FILE_SHARE_READ) != 0)
        && ((access & WriteRights) == 0 || (share & FILE_SHARE_WRITE) != 0)
        && ((access & DELETE) == 0 || (share & FILE_SHARE_DELETE) != 0);

    private void CheckSectors(ModelHandle open, ReadOnlySpan<byte> buffer, long offset)
    {
        if ((open.Flags & FILE_FLAG_NO_BUFFERING) == 0)
            open.UsedCache = true;
        else if ((offset | (long)buffer.Length | (long)Unsafe.AsPointer(ref MemoryMarshal.GetReference(buffer))) % SectorSize != 0)
            throw CreateException(ERROR_INVALID_PARAMETER);
    }

    private void MarkChanged(ModelHandle open)
    {
        open.HasChanged = true;
        if (!UpdatesTimesAtClose && !open.HasFixedTime)
            open.File.Modified = GetNextTime();
    }

    private void RemoveClosedHandles()
    {
        foreach (var open in _open.Where(o => o.Handle.IsClosed).ToArray())
        {
            _open.Remove(open);
            if (open.HasChanged && !open.HasFixedTime && UpdatesTimesAtClose)
                open.File.Modified = GetNextTime();
            if (open.File.IsDeletePending && !_open.Exists(o => o.File == open.File))
                foreach (var name in _files.Where(f => f.Value == open.File).Select(f => f.Key).ToArray())
                    _files.Remove(name);
        }
    }

    private ModelHandle GetOpenHandle(SafeFileHandle handle)
    {
        RemoveClosedHandles();
        var number = handle.DangerousGetHandle();
        return _open.Find(o => o.Handle.DangerousGetHandle() == number) ?? throw new InvalidOperationException("A closed handle was used.");
    }

    private int GetInjectedError([CallerMemberName] string call = "")
    {
        var number = CallCount++;
        var error = FaultInjector?.Invoke(number, call) ?? 0;
        return error >= 0 ? error : throw new ProcessKilledException();
    }

    private void ThrowInjectedError([CallerMemberName] string call = "")
    {
        if (GetInjectedError(call) is not 0 and var error)
            throw CreateException(error);
    }

    private static IOException CreateException(int error) => new($"error {error}", unchecked((int)0x80070000) | error);

    // Each call returns a time 0.1 s later, so that no two changes have the same time by chance.
    private long GetNextTime()
    {
        _clock += 1_000_000;
        return _clock - _clock % TimeStep;
    }

    private static string GetKey(string path) => path.StartsWith(@"\\?\", StringComparison.Ordinal) ? path[4..] : path;

    private static (string Name, string? Stream) SplitStreamName(string path)
    {
        var key = GetKey(path);
        var at = key.StartsWith(@"\\.\", StringComparison.Ordinal) ? -1 : key.IndexOf(':', Math.Min(2, key.Length));
        return at < 0 ? (key, null) : (key[..at], key[(at + 1)..]);
    }
}
