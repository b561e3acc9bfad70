using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>NVMe commands, as in the kernel's include/uapi/linux/nvme_ioctl.h.</summary>
internal static unsafe partial class LinuxCalls
{
    public const nuint NVME_IOCTL_ID = 0x4E40,
        NVME_IOCTL_ADMIN_CMD = 0xC0484E41;

    public const uint NVME_URING_CMD_IO = 0xC0484E80;

    /// <summary>struct nvme_uring_cmd, 72 bytes, and nvme_passthru_cmd of the ioctl, whose last field is the result.</summary>
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
