using System.Globalization;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

/// <summary>The time of last write is certain only after the handle that changed the file is closed ("File Times").</summary>
/// <remarks>So the handle that a run keeps open never changes the file, and each change uses a separate handle.</remarks>
internal sealed unsafe partial class WindowsFiles(WindowsFileCalls calls) : PlatformFiles
{
    private const uint ReadWrite = GENERIC_READ | GENERIC_WRITE,
        ShareChanges = FILE_SHARE_READ | FILE_SHARE_WRITE;

    public override FileStatus? TryGetStatus(string path)
    {
        // A handle without access rights is sufficient to read the status, and does not disturb programs that have the file open.
        var error = OpenWithoutFollowing(path, 0, ShareAll, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, out var handle);
        using (handle)
        {
            if (error == 0)
                return WindowsPath.IsDevice(path) ? CreateDeviceStatus(path) : GetStatus(handle, path);
        }
        return error is ERROR_FILE_NOT_FOUND or ERROR_PATH_NOT_FOUND ? null : throw FileErrors.FromWindows(error, "checking", path);
    }

    public override FileStatus GetStatus(SafeFileHandle handle, string path)
    {
        if (WindowsPath.IsDevice(path))
            return CreateDeviceStatus(path);
        ThrowOnError(calls.GetInformation(handle, out var information), "checking", path);
        var size = CombineToInt64(information.SizeHigh, information.SizeLow);
        StandardInfo standard;
        var allocated =
            calls.GetInformation(handle, FileStandardInfo, &standard, sizeof(StandardInfo)) == 0 ? standard.AllocationSize : size;
        var tag = (information.Attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 ? ReadReparseTag(handle) : null;
        var kind = (information.Attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? FileKind.Directory : FileKind.Regular;
        if (tag is { } reparse && (reparse & NameSurrogate) != 0)
            kind = FileKind.Link;
        return new FileStatus(
            kind,
            ReadIdentity(handle, information),
            0,
            size,
            CombineToInt64(information.WriteHigh, information.WriteLow),
            0,
            information.LinkCount,
            allocated
        )
        {
            IsWriteProtected = kind == FileKind.Regular && (information.Attributes & (uint)FileAttributes.ReadOnly) != 0,
            FilterDriver = kind == FileKind.Regular && tag is { } filter ? DescribeFilter(filter) : null,
        };
    }

    internal override bool HasExactTimes => false;

    public override SafeFileHandle OpenToRead(string path) => OpenOrThrow(path, GENERIC_READ, OPEN_EXISTING, "opening", ShareAll);

    internal override SafeFileHandle OpenToWrite(string path) => OpenOrThrow(path, ReadWrite, OPEN_EXISTING, "opening", ShareChanges);

    internal override SafeFileHandle Reopen(SafeFileHandle handle, string path, bool write)
    {
        ThrowOnError(
            calls.Reopen(handle, write ? ReadWrite : GENERIC_READ, write ? ShareChanges : ShareAll, 0, out var reopened),
            "opening",
            path
        );
        return reopened;
    }

    internal override SafeFileHandle? OpenSeparateHandle(SafeFileHandle handle, string path, bool write)
    {
        // SetFileValidData requires a handle that was opened while the privilege was enabled.
        if (write)
            _ = calls.EnablePrivilege(ManageVolume);
        return Reopen(handle, path, write);
    }

    internal override string? GetReopenPath(SafeFileHandle handle) => null;

    internal override SafeFileHandle? TryReopenUnbuffered(SafeFileHandle handle, string path, bool write)
    {
        if (calls.Reopen(handle, write ? ReadWrite : GENERIC_READ, ShareAll, FILE_FLAG_NO_BUFFERING, out var reopened) == 0)
            return reopened;
        reopened.Dispose();
        return null;
    }

    internal override SafeFileHandle CreateWithMarker(string path, Func<FileStatus, string> makeMark)
    {
        using var made = OpenOrThrow(path, ReadWrite, CREATE_NEW, "creating", ShareChanges);
        var status = GetStatus(made, path);
        SafeFileHandle? session = null;
        try
        {
            session = Reopen(made, path, write: true);
            OwnershipMarker.WriteText(session, path, makeMark(status));
            return session;
        }
        catch
        {
            session?.Dispose();
            made.Dispose();
            RemoveUnmarkedFile(path, status);
            throw;
        }
    }

    internal override void CheckCanCreate(string folder, string path)
    {
        // A probe would change the folder's times. A refusal shows when the file is created, before anything else happens.
        if (FindVolume(folder) is { } volume && (volume.Flags & FILE_READ_ONLY_VOLUME) != 0)
            throw FileErrors.FromWindows(ERROR_WRITE_PROTECT, "creating", path);
    }

    private static FileStatus CreateDeviceStatus(string path) =>
        new(FileKind.BlockDevice, "device " + path, Device: 0, Size: 0, Modified: 0, Changed: 0, LinkCount: 1, AllocatedBytes: 0);

    // ReFS needs the 128-bit id. The creation time is left out, because programs can set it and Wine changes it with every write.
    private string ReadIdentity(SafeFileHandle handle, HandleInformation information)
    {
        FileIdInfo id;
        return calls.GetInformation(handle, FileIdInfoClass, &id, sizeof(FileIdInfo)) == 0
            ? string.Create(CultureInfo.InvariantCulture, $"volume {id.VolumeSerial:x} file {id.IdHigh:x}{id.IdLow:x16}")
            : string.Create(
                CultureInfo.InvariantCulture,
                $"volume {information.VolumeSerial:x} file {CombineToInt64(information.IndexHigh, information.IndexLow):x}"
            );
    }

    private uint? ReadReparseTag(SafeFileHandle handle)
    {
        AttributeTag tag;
        return calls.GetInformation(handle, FileAttributeTagInfo, &tag, sizeof(AttributeTag)) == 0 ? tag.ReparseTag : null;
    }

    private static string DescribeFilter(uint tag) =>
        tag switch
        {
            IO_REPARSE_TAG_DEDUP => "Data Deduplication",
            IO_REPARSE_TAG_WOF => "compression of system files",
            IO_REPARSE_TAG_HSM or IO_REPARSE_TAG_HSM2 => "hierarchical storage",
            _ when (tag & ~IO_REPARSE_TAG_CLOUD_MASK) == IO_REPARSE_TAG_CLOUD => "cloud file synchronization",
            _ => string.Create(CultureInfo.InvariantCulture, $"the filter for reparse tag 0x{tag:X8}"),
        };

    // Opens a link itself. A reparse point whose content a filter driver manages is opened through that filter, as workers do.
    private int OpenWithoutFollowing(string path, uint access, uint share, uint disposition, uint flags, out SafeFileHandle handle)
    {
        var name = WindowsPath.ToNativePath(path);
        var safe = flags | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION;
        if (WindowsPath.IsDevice(path))
            return calls.Open(name, access, share, disposition, safe, out handle);
        var error = calls.Open(name, access, share, disposition, safe | FILE_FLAG_OPEN_REPARSE_POINT, out handle);
        if (
            error != 0
            || calls.GetInformation(handle, out var seen) != 0
            || (seen.Attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0
            || ReadReparseTag(handle) is not { } tag
            || (tag & NameSurrogate) != 0
        )
            return error;
        var handleValue = handle;
        error = calls.Open(name, access, share, OPEN_EXISTING, safe, out handle);
        // If another file got the name in the meantime, keep the handle that was checked.
        if (
            error == 0
            && calls.GetInformation(handle, out var through) == 0
            && ReadIdentity(handle, through) == ReadIdentity(handleValue, seen)
        )
        {
            handleValue.Dispose();
            return 0;
        }
        handle.Dispose();
        handle = handleValue;
        return 0;
    }

    private SafeFileHandle OpenOrThrow(string path, uint access, uint disposition, string doing, uint share)
    {
        var error = OpenWithoutFollowing(path, access, share, disposition, 0, out var handle);
        if (error == 0 && (WindowsPath.IsDevice(path) || !IsStream(handle)))
            return handle;
        handle.Dispose();
        throw error switch
        {
            0 => IoBenchException.Usage(
                "IoBench.InvalidPath",
                $"{path} is a stream within a file.",
                path,
                advice: "Specify a file or a folder."
            ),
            ERROR_FILE_EXISTS or ERROR_ALREADY_EXISTS => FileErrors.FileAppeared(path),
            _ => FileErrors.FromWindows(error, doing, path),
        };
    }

    // Check the handle, because names have more forms than a check of their text covers.
    private bool IsStream(SafeFileHandle handle) => calls.GetFinalName(handle, out var name) == 0 && WindowsPath.HasStreamName(name);

    private static void ThrowOnError(int error, string doing, string path)
    {
        if (error != 0)
            throw FileErrors.FromWindows(error, doing, path);
    }

    private static long CombineToInt64(uint high, uint low) => (long)high << 32 | low;
}
