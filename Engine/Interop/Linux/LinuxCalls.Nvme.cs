using System.Runtime.InteropServices;

namespace IoBench.Engine.Interop.Linux;

/// <summary>NVMe's own commands, as the kernel's include/uapi/linux/nvme_ioctl.h takes them.</summary>
internal static unsafe partial class LinuxCalls
{
    /// <summary>What ioctl(2) asks of a namespace: its number, and a command to its controller.</summary>
    public const nuint NVME_IOCTL_ID = 0x4E40,
        NVME_IOCTL_ADMIN_CMD = 0xC0484E41;

    /// <summary>What io_uring's own commands ask of a namespace's character device: an I/O command.</summary>
    public const uint NVME_URING_CMD_IO = 0xC0484E80;

    /// <summary>struct nvme_uring_cmd; struct nvme_passthru_cmd of the ioctl is the same, with the command's result in its last field. 72 bytes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct NvmeCommand
    {
        public byte Opcode,
            Flags;
        public ushort Reserved;
        public uint Namespace,
            Word2,
            Word3;
        public ulong Metadata,
            Address;
        public uint MetadataLength,
            DataLength,
            Word10,
            Word11,
            Word12,
            Word13,
            Word14,
            Word15,
            TimeoutMs,
            Result;
    }
}
