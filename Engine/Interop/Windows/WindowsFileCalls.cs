using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

/// <summary>File calls of Windows before and after a run. Tests use a model. An int result is 0 or the Win32 error.</summary>
internal unsafe class WindowsFileCalls
{
    private const int NameLength = 1024;

    public virtual int Open(string path, uint access, uint share, uint disposition, uint flags, out SafeFileHandle file)
    {
        file = CreateFile(path, access, share, 0, disposition, flags, 0);
        return file.IsInvalid ? GetErrorCode() : 0;
    }

    public virtual int Reopen(SafeFileHandle file, uint access, uint share, uint flags, out SafeFileHandle reopened)
    {
        var handle = ReOpenFile(file, access, share, flags);
        var error = handle is 0 or -1 ? GetErrorCode() : 0;
        reopened = new SafeFileHandle(error == 0 ? handle : -1, ownsHandle: true);
        return error;
    }

    public virtual int GetInformation(SafeFileHandle file, out HandleInformation information)
    {
        HandleInformation all;
        var done = GetFileInformationByHandle(file, &all);
        information = all;
        return done ? 0 : GetErrorCode();
    }

    public virtual int GetInformation(SafeFileHandle file, int kind, void* information, int size) =>
        GetFileInformationByHandleEx(file, kind, information, (uint)size) ? 0 : GetErrorCode();

    public virtual int SetInformation(SafeFileHandle file, int kind, void* information, int size) =>
        SetFileInformationByHandle(file, kind, information, (uint)size) ? 0 : GetErrorCode();

    /// <summary>SetFileTime for the last write time only; -1 = this handle no longer changes it.</summary>
    public virtual int SetWriteTime(SafeFileHandle file, long time) => SetFileTime(file, null, null, &time) ? 0 : GetErrorCode();

    /// <summary>SetFileValidData: bytes up to this length are read as they are on the disk.</summary>
    public virtual int SetValidData(SafeFileHandle file, long length) => SetFileValidData(file, length) ? 0 : GetErrorCode();

    public virtual int Lock(SafeFileHandle file, uint flags, long start, uint length)
    {
        var range = CreateRange(start);
        return LockFileEx(file, flags, 0, length, 0, &range) ? 0 : GetErrorCode();
    }

    public virtual int Unlock(SafeFileHandle file, long start, uint length)
    {
        var range = CreateRange(start);
        return UnlockFileEx(file, 0, length, 0, &range) ? 0 : GetErrorCode();
    }

    public virtual int SendControlCode(SafeFileHandle device, uint code, void* input, int inputSize, void* output, int outputSize)
    {
        uint returned;
        return DeviceIoControl(device, code, input, (uint)inputSize, output, (uint)outputSize, &returned, 0) ? 0 : GetErrorCode();
    }

    public virtual int GetDependency(SafeFileHandle disk, void* information, int size)
    {
        try
        {
            uint used;
            return (int)GetStorageDependencyInformation(disk, GET_STORAGE_DEPENDENCY_FLAG_DISK_HANDLE, (uint)size, information, &used);
        }
        catch (Exception e) when (e is DllNotFoundException or EntryPointNotFoundException)
        {
            // Some small editions of Windows have no virtual disks.
            return ERROR_NOT_SUPPORTED;
        }
    }

    /// <summary>Creates a name that one owner can have; false if it exists. Windows removes it when the owner ends.</summary>
    public virtual bool TryCreateExclusive(string name, out IDisposable claim)
    {
        try
        {
            // A global name covers all sessions of the computer. An event, because a mutex belongs to a thread.
            var made = new EventWaitHandle(initialState: false, EventResetMode.ManualReset, @"Global\" + name, out var isNew);
            claim = made;
            if (!isNew)
                made.Dispose();
            return isNew;
        }
        catch (Exception e) when (e is UnauthorizedAccessException or WaitHandleCannotBeOpenedException)
        {
            // An object of another account or of another kind has the name, so the name is in use.
            claim = Stream.Null;
            return false;
        }
    }

    /// <summary>GetFinalPathNameByHandleW: the real name of an open file, including a stream.</summary>
    public virtual int GetFinalName(SafeFileHandle file, out string name)
    {
        // Paths have up to 32,767 characters.
        var buffer = new char[32768];
        fixed (char* start = buffer)
        {
            var length = GetFinalPathNameByHandle(file, start, (uint)buffer.Length, 0);
            name = length > 0 && length < buffer.Length ? new string(start, 0, (int)length) : "";
            return name.Length > 0 ? 0 : GetErrorCode();
        }
    }

    public virtual bool HasStreams(string path)
    {
        FindStreamData data;
        var find = FindFirstStream(path, 0, &data, 0);
        return find is not (0 or -1) && FindClose(find);
    }

    public virtual int GetVolumeRoot(string path, out string root)
    {
        var buffer = stackalloc char[NameLength];
        var done = GetVolumePathName(path, buffer, NameLength);
        root = done ? new string(buffer) : "";
        return done ? 0 : GetErrorCode();
    }

    public virtual int GetVolumeName(string root, out string name)
    {
        var buffer = stackalloc char[NameLength];
        var done = GetVolumeNameForVolumeMountPoint(root, buffer, NameLength);
        name = done ? new string(buffer) : "";
        return done ? 0 : GetErrorCode();
    }

    public virtual int GetFileSystem(string root, out uint flags, out string fileSystem)
    {
        var buffer = stackalloc char[NameLength];
        uint all;
        var done = GetVolumeInformation(root, null, 0, null, null, &all, buffer, NameLength);
        (flags, fileSystem) = done ? (all, new string(buffer)) : (0, "");
        return done ? 0 : GetErrorCode();
    }

    public virtual int GetFreeSpace(string folder, out ulong available, out ulong total)
    {
        ulong ours,
            all,
            free;
        var done = GetDiskFreeSpace(folder, &ours, &all, &free);
        (available, total) = done ? (ours, all) : (0, 0);
        return done ? 0 : GetErrorCode();
    }

    public virtual int GetSectorSizes(string root, out uint sectorsPerCluster, out uint bytesPerSector)
    {
        uint sectors,
            bytes,
            free,
            clusters;
        var done = GetDiskGeometry(root, &sectors, &bytes, &free, &clusters);
        (sectorsPerCluster, bytesPerSector) = done ? (sectors, bytes) : (0, 0);
        return done ? 0 : GetErrorCode();
    }

    public virtual bool EnablePrivilege(string name) => WindowsPrivileges.TryEnable(name);

    /// <summary>Returns fewer bytes at the end of the file. Throws <see cref="IOException"/> instead of returning an error.</summary>
    public virtual int Read(SafeFileHandle file, Span<byte> buffer, long offset) => RandomAccess.Read(file, buffer, offset);

    public virtual void Write(SafeFileHandle file, ReadOnlySpan<byte> buffer, long offset) => RandomAccess.Write(file, buffer, offset);

    public virtual void SetLength(SafeFileHandle file, long length) => RandomAccess.SetLength(file, length);

    public virtual void Flush(SafeFileHandle file) => RandomAccess.FlushToDisk(file);

    private static OverlappedBlock CreateRange(long start) =>
        new() { OffsetLow = (uint)(start & 0xFFFFFFFF), OffsetHigh = (uint)(start >> 32) };

    private static int GetErrorCode()
    {
        var error = Marshal.GetLastPInvokeError();
        return error != 0 ? error : ERROR_INVALID_PARAMETER;
    }
}
