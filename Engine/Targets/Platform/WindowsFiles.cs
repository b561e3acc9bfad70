using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

/// <summary>Windows: FILE_ID, alternate data streams where they really work, SetFileValidData where the privilege is held.</summary>
internal sealed unsafe partial class WindowsFiles : PlatformFiles
{
    private const string StreamSuffix = ":iobench";

    /// <inheritdoc/>
    public override FileStatus? TryGetStatus(string path)
    {
        // No access right at all is enough to look, and does not disturb whoever has the file open.
        using var handle = CreateFile(Long(path), 0, ShareAll, 0, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, 0);
        if (!handle.IsInvalid)
            return IsDevicePath(path) ? OfDevice(path) : GetStatus(handle, path);
        var error = Marshal.GetLastPInvokeError();
        return error is ERROR_FILE_NOT_FOUND or ERROR_PATH_NOT_FOUND ? null : throw FileErrors.FromWindows(error, "look at", path);
    }

    /// <inheritdoc/>
    public override FileStatus GetStatus(SafeFileHandle handle, string path)
    {
        if (IsDevicePath(path))
            return OfDevice(path);
        HandleInformation information;
        if (!GetFileInformationByHandle(handle, &information))
            throw FileErrors.FromWindows(Marshal.GetLastPInvokeError(), "look at", path);
        FileIdInfo id;
        // ReFS needs the 128-bit id; file systems that only know the short one refuse this call. The time of creation is no part of the
        // identity: programs set it, and Wine moves it with every write.
        var identity = GetFileInformationByHandleEx(handle, FileIdInfoClass, &id, (uint)sizeof(FileIdInfo))
            ? string.Create(CultureInfo.InvariantCulture, $"volume {id.VolumeSerial:x} file {id.IdHigh:x}{id.IdLow:x16}")
            : string.Create(CultureInfo.InvariantCulture, $"volume {information.VolumeSerial:x} file {Join(information.IndexHigh, information.IndexLow):x}");
        var size = Join(information.SizeHigh, information.SizeLow);
        uint high;
        var low = GetCompressedFileSize(Long(path), &high);
        var allocated = low == uint.MaxValue && Marshal.GetLastPInvokeError() != 0 ? size : Join(high, low);
        var kind = (information.Attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 && IsLink(path) ? FileKind.Link
            : (information.Attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? FileKind.Directory : FileKind.Regular;
        return new FileStatus(kind, identity, 0, size, Join(information.WriteHigh, information.WriteLow), 0, information.LinkCount, allocated);
    }

    /// <inheritdoc/>
    public override SafeFileHandle OpenToRead(string path) => Open(path, GENERIC_READ, OPEN_EXISTING, "open");

    /// <inheritdoc/>
    public override SafeFileHandle OpenToWrite(string path) => Open(path, GENERIC_READ | GENERIC_WRITE, OPEN_EXISTING, "open", FILE_SHARE_READ | FILE_SHARE_WRITE);

    /// <inheritdoc/>
    public override SafeFileHandle Reopen(SafeFileHandle handle, string path, bool write)
    {
        var reopened = ReOpenFile(handle, write ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ, write ? FILE_SHARE_READ | FILE_SHARE_WRITE : ShareAll, 0);
        return reopened is 0 or -1 ? throw FileErrors.FromWindows(Marshal.GetLastPInvokeError(), "open", path) : new SafeFileHandle(reopened, ownsHandle: true);
    }

    /// <inheritdoc/>
    public override string? PathOf(SafeFileHandle handle) => null;

    /// <inheritdoc/>
    public override SafeFileHandle? TryReopenUnbuffered(SafeFileHandle handle, string path, bool write)
    {
        var reopened = ReOpenFile(handle, write ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ, ShareAll, FILE_FLAG_NO_BUFFERING);
        return reopened is 0 or -1 ? null : new SafeFileHandle(reopened, ownsHandle: true);
    }

    /// <inheritdoc/>
    public override SafeFileHandle CreateMarked(string path, Func<FileStatus, string> makeMark)
    {
        var handle = Open(path, GENERIC_READ | GENERIC_WRITE, CREATE_NEW, "make", FILE_SHARE_READ | FILE_SHARE_WRITE);
        try
        {
            MarkStore.Write(handle, path, makeMark(GetStatus(handle, path)));
            return handle;
        }
        catch
        {
            handle.Dispose();
            File.Delete(path);
            throw;
        }
    }

    /// <inheritdoc/>
    public override string? ReadNativeMark(SafeFileHandle handle, string path)
    {
        if (!StreamsWork(path))
            return null;
        using var stream = CreateFile(Long(path) + StreamSuffix, GENERIC_READ, ShareAll, 0, OPEN_EXISTING, 0, 0);
        if (stream.IsInvalid)
            return null;
        var buffer = new byte[65536];
        return Encoding.UTF8.GetString(buffer, 0, RandomAccess.Read(stream, buffer, 0));
    }

    /// <inheritdoc/>
    public override NativeMarkResult WriteNativeMark(SafeFileHandle handle, string path, string text)
    {
        if (!StreamsWork(path))
            return NativeMarkResult.Unsupported;
        var modified = GetStatus(handle, path).Modified;
        using (var stream = CreateFile(Long(path) + StreamSuffix, GENERIC_READ | GENERIC_WRITE, ShareAll, 0, CREATE_ALWAYS, 0, 0))
        {
            if (stream.IsInvalid)
                throw FileErrors.FromWindows(Marshal.GetLastPInvokeError(), "mark", path);
            // All ones: operations by this handle do not move the file's time of last write (SetFileTime's documentation).
            long leaveAlone = -1;
            _ = SetFileTime(stream, null, null, &leaveAlone);
            RandomAccess.Write(stream, Encoding.UTF8.GetBytes(text), 0);
        }
        if (GetStatus(handle, path).Modified != modified && !SetFileTime(handle, null, null, &modified))
            throw FileErrors.FromWindows(Marshal.GetLastPInvokeError(), "mark", path);
        return NativeMarkResult.Done;
    }

    /// <inheritdoc/>
    public override bool Reserve(SafeFileHandle handle, string path, long size)
    {
        try
        {
            RandomAccess.SetLength(handle, size);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw FileErrors.FromException(e, $"take {size} bytes for", path);
        }
        // Without it NTFS makes every write beyond the furthest one so far wait until the gap is zeroed, one write at a time.
        return WindowsPrivileges.TryEnable("SeManageVolumePrivilege") && SetFileValidData(handle, size);
    }

    /// <inheritdoc/>
    public override void Truncate(SafeFileHandle handle, string path, long size)
    {
        try
        {
            RandomAccess.SetLength(handle, size);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw FileErrors.FromException(e, $"cut to {size} bytes", path);
        }
    }

    /// <inheritdoc/>
    public override void Write(SafeFileHandle handle, string path, ReadOnlySpan<byte> buffer, long offset)
    {
        try
        {
            RandomAccess.Write(handle, buffer, offset);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw FileErrors.FromException(e, $"write of {buffer.Length} bytes at offset {offset} of", path);
        }
    }

    /// <inheritdoc/>
    public override void Flush(SafeFileHandle handle, string path)
    {
        try
        {
            RandomAccess.FlushToDisk(handle);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw FileErrors.FromException(e, "flush of", path);
        }
    }

    /// <inheritdoc/>
    // An unbuffered open already makes Windows write back and drop what its cache holds of the file.
    public override void DropCache(SafeFileHandle handle) { }

    /// <inheritdoc/>
    public override bool HasHoles(SafeFileHandle handle, FileStatus status)
    {
        HandleInformation information;
        return GetFileInformationByHandle(handle, &information) && (information.Attributes & FILE_ATTRIBUTE_SPARSE_FILE) != 0 && status.AllocatedBytes < status.Size;
    }

    /// <inheritdoc/>
    public override void CheckCanCreate(string folder, string path)
    {
        // A probe would leave traces in the folder's times; a refusal shows when the file is made, before anything else happens.
        if (Volume(folder) is { } volume && (volume.Flags & FILE_READ_ONLY_VOLUME) != 0)
            throw FileErrors.FromWindows(ERROR_WRITE_PROTECT, "make", path);
    }

    /// <inheritdoc/>
    public override VolumeSpace? GetSpace(string path)
    {
        var folder = Directory.Exists(path) ? path : Path.GetDirectoryName(path) ?? path;
        ulong available, total, free;
        return GetDiskFreeSpace(folder.EndsWith('\\') ? folder : folder + "\\", &available, &total, &free) && total > 0
            ? new VolumeSpace((long)total, (long)available) : null;
    }

    /// <summary>A path into the device name space: <c>\\.\PhysicalDrive1</c>, <c>\\.\T:</c>.</summary>
    internal static bool IsDevicePath(string path) => path.StartsWith(@"\\.\", StringComparison.Ordinal);

    /// <summary>Root, flags and file system of the volume a path lies on; null when the system does not say.</summary>
    internal static (string Root, uint Flags, string FileSystem)? Volume(string path)
    {
        const int length = 1024;
        var root = stackalloc char[length];
        if (!GetVolumePathName(path, root, length))
            return null;
        var rootText = new string(root);
        const int nameLength = 64;
        var name = stackalloc char[nameLength];
        uint flags;
        return GetVolumeInformation(rootText, null, 0, null, null, &flags, name, nameLength) ? (rootText, flags, new string(name)) : null;
    }

    // The flag alone is not enough: Wine sets it and then makes ordinary files with a colon in their names. Only where the
    // unnamed stream of the file itself can be listed are streams real.
    private static bool StreamsWork(string path)
    {
        if (Volume(path) is not { } volume || (volume.Flags & FILE_NAMED_STREAMS) == 0)
            return false;
        FindStreamData data;
        var find = FindFirstStream(Long(path), 0, &data, 0);
        if (find is 0 or -1)
            return false;
        FindClose(find);
        return true;
    }

    private static SafeFileHandle Open(string path, uint access, uint disposition, string doing, uint share = ShareAll)
    {
        var handle = CreateFile(Long(path), access, share, 0, disposition, IsDevicePath(path) ? 0 : FILE_FLAG_OPEN_REPARSE_POINT, 0);
        if (!handle.IsInvalid)
            return handle;
        var error = Marshal.GetLastPInvokeError();
        handle.Dispose();
        throw error is ERROR_FILE_EXISTS or ERROR_ALREADY_EXISTS
            ? IoBenchException.Refused(ErrorIds.ForeignFile, $"{path} appeared while IoBench was about to make it: another program uses this name. Name another file.", path)
            : FileErrors.FromWindows(error, doing, path);
    }

    private static FileStatus OfDevice(string path) => new(FileKind.BlockDevice, "device " + path, 0, 0, 0, 0, 1, 0);

    // Other reparse points (deduplicated, cloud or WOF files) are files with a filter behind them, not links.
    private static bool IsLink(string path) => new FileInfo(path).LinkTarget is not null;

    // Beyond MAX_PATH Windows only takes paths that say so.
    private static string Long(string path)
        => path.Length < 240 || path.StartsWith(@"\\?\", StringComparison.Ordinal) || IsDevicePath(path) ? path
            : path.StartsWith(@"\\", StringComparison.Ordinal) ? @"\\?\UNC\" + path[2..] : @"\\?\" + path;

    private static long Join(uint high, uint low) => (long)high << 32 | low;
}
