using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.LinuxCalls;

namespace IoBench.Engine;

/// <summary>Character device of a namespace whose block device is verified and stays open.</summary>
/// <remarks>Compared with the block device by the controller's data. Commands bypass the file cache, so it is emptied.</remarks>
internal sealed unsafe class NvmeCharacterDevice : IDisposable
{
    private const byte Identify = 0x06;
    private const uint OfNamespace = 0,
        OfController = 1;
    private const int IdentifyBytes = 4096;

    private readonly OpenFile _file;
    private readonly SafeFileHandle _handle;
    private readonly NvmeNamespace _namespace;

    private NvmeCharacterDevice(OpenFile file, SafeFileHandle handle, NvmeNamespace found)
    {
        _file = file;
        _handle = handle;
        _namespace = found;
    }

    public static NvmeCharacterDevice Open(OpenFile file)
    {
        var device = FileId.Identify(LinuxFiles.ReadStatx(file.Handle, file.Path)).Device is { } number
            ? LinuxBlockDevice.FindByNumber(number)
            : null;
        var found = NvmeNamespace.Find(device, file.Path, out var why) ?? throw CreateError(why);
        var handle =
            LinuxFiles.TryOpen(found.Path, (file.IsWritable ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_CLOEXEC, out var error)
            ?? throw CreateError(
                $"{found.Path}, the character device of {file.Path}, cannot be opened: {Marshal.GetPInvokeErrorMessage(error)} ({error})"
            );
        try
        {
            CheckSameNamespace(file, handle, found);
            // Otherwise the kernel would later write dirty pages of the file cache over the blocks of the test.
            if (file.IsWritable)
                PlatformFiles.Current.Flush(file.Handle, file.Path);
            PlatformFiles.Current.DropCache(file.Handle);
            return new NvmeCharacterDevice(file, handle, found);
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }

    public NvmeTarget CreateTarget(IoPattern pattern) =>
        new()
        {
            Name = _namespace.Name,
            Namespace = _namespace.Id,
            SectorShift = int.Log2(_namespace.SectorSize),
            LargestTransfer = _namespace.LargestTransfer,
            IsWriteThrough = pattern.Buffering == IoBuffering.None,
        };

    public SafeFileHandle Duplicate()
    {
        var copy = LinuxCalls.Duplicate(_handle, F_DUPFD_CLOEXEC, 0);
        return copy >= 0
            ? new SafeFileHandle(copy, ownsHandle: true)
            : throw FileErrors.FromErrno(Marshal.GetLastPInvokeError(), "opening", _namespace.Path);
    }

    public void Dispose()
    {
        // Pages that were cached before the test no longer match the device.
        PlatformFiles.Current.DropCache(_file.Handle);
        _handle.Dispose();
    }

    private static void CheckSameNamespace(OpenFile file, SafeFileHandle handle, NvmeNamespace found)
    {
        var status = LinuxFiles.ReadStatx(handle, found.Path);
        if (status.FileType != LinuxCalls.Statx.CharacterDevice || found.Number != status.SpecialDeviceNumber)
            throw CreateError($"{found.Path} is not the character device {found.Number} of {file.Path}");
        if (Control(file.Handle, NVME_IOCTL_ID, null) != found.Id || Control(handle, NVME_IOCTL_ID, null) != found.Id)
            throw CreateMismatchError(found, file);
        ulong size;
        if (Control(file.Handle, BLKGETSIZE64, &size) != 0)
            throw FileErrors.FromErrno(Marshal.GetLastPInvokeError(), "asking for the size of", file.Path);
        var blockNamespace = ReadIdentity(file.Handle, found, OfNamespace, file.Path);
        var namespaceIdentity = ReadIdentity(handle, found, OfNamespace, found.Path);
        var blockController = ReadIdentity(file.Handle, found, OfController, file.Path);
        var controllerIdentity = ReadIdentity(handle, found, OfController, found.Path);
        if (!IsSameController(blockController, controllerIdentity) || !IsSameNamespace(blockNamespace, namespaceIdentity))
            throw CreateMismatchError(found, file);
        if (GetUnsupportedReason(namespaceIdentity, found.SectorSize, (long)size) is { } why)
            throw CreateError($"{file.Path} {why}");
    }

    private static byte[] ReadIdentity(SafeFileHandle handle, NvmeNamespace found, uint what, string path)
    {
        var answer = new byte[IdentifyBytes];
        fixed (byte* bytes = answer)
        {
            var command = new NvmeCommand
            {
                Opcode = Identify,
                Namespace = what == OfNamespace ? found.Id : 0,
                Address = (ulong)bytes,
                DataLength = IdentifyBytes,
                Word10 = what,
            };
            var result = Control(handle, NVME_IOCTL_ADMIN_CMD, &command);
            if (result > 0)
                throw CreateError($"{path} does not say what it is: {NvmeStatus.Describe(NvmeStatus.ToResult(result))}");
            if (result < 0)
            {
                var error = Marshal.GetLastPInvokeError();
                throw CreateError(
                    $"{path} cannot be asked what it is: {Marshal.GetPInvokeErrorMessage(error)} "
                        + $"({error}){(error is Errno.EACCES or Errno.EPERM ? "; commands to a drive are root's (CAP_SYS_ADMIN)" : "")}"
                );
            }
        }
        return answer;
    }

    private static IoBenchException CreateMismatchError(NvmeNamespace found, OpenFile file) =>
        CreateError($"{found.Path} is another namespace than {file.Path}");

    private static IoBenchException CreateError(string why) => BackendRefusedException.CreateError(NvmePassthroughBackend.Descriptor, why);

    private const int Size = 0,
        Formats = 26,
        FormatList = 128,
        Protection = 29,
        UniqueFrom = 104,
        UniqueTo = 128,
        Shared = 30;
    private const int SerialFrom = 4,
        ModelTo = 64,
        SubsystemFrom = 768,
        SubsystemTo = 1024;

    /// <summary>Ignores values that can change, such as the used capacity.</summary>
    public static bool IsSameNamespace(ReadOnlySpan<byte> one, ReadOnlySpan<byte> other) =>
        GetBytes(one, Size, 16).SequenceEqual(GetBytes(other, Size, 16))
        && GetBytes(one, Formats, Shared + 1).SequenceEqual(GetBytes(other, Formats, Shared + 1))
        && GetBytes(one, UniqueFrom, UniqueTo).SequenceEqual(GetBytes(other, UniqueFrom, UniqueTo));

    /// <summary>Ignores the controller id, because a namespace with several paths can respond on each of them.</summary>
    public static bool IsSameController(ReadOnlySpan<byte> one, ReadOnlySpan<byte> other) =>
        GetBytes(one, SerialFrom, ModelTo).SequenceEqual(GetBytes(other, SerialFrom, ModelTo))
        && GetBytes(one, SubsystemFrom, SubsystemTo).SequenceEqual(GetBytes(other, SubsystemFrom, SubsystemTo));

    public static string? GetUnsupportedReason(ReadOnlySpan<byte> identity, int sectorSize, long size)
    {
        var formats = identity[Formats];
        var format = identity.Slice(FormatList + 4 * (formats & 0xF | formats >> 1 & 0x30), 4);
        var shift = format[2];
        if (BinaryPrimitives.ReadUInt16LittleEndian(format) != 0)
            return "has metadata beside each logical block, which IoBench does not write";
        if ((identity[Protection] & 7) != 0)
            return "protects its blocks end to end, which IoBench does not do";
        if (shift is < 9 or > 16 || 1 << shift != sectorSize)
            return $"has logical blocks of 2^{shift} bytes and a block device of {sectorSize}";
        var isSameSize = BinaryPrimitives.ReadUInt64LittleEndian(identity) << shift == (ulong)size;
        return isSameSize ? null : "has a different size from its block device";
    }

    private static ReadOnlySpan<byte> GetBytes(ReadOnlySpan<byte> identity, int from, int to) => identity[from..to];
}
