using System.Runtime.InteropServices;

namespace IoBench.Engine;

internal static unsafe partial class LinuxCalls
{
    public const int SYS_io_uring_setup = 425,
        SYS_io_uring_enter = 426,
        SYS_io_uring_register = 427;

    public static readonly int SYS_io_setup = IsX64 ? 206 : 0,
        SYS_io_destroy = IsX64 ? 207 : 1,
        SYS_io_getevents = IsX64 ? 208 : 4,
        SYS_io_submit = IsX64 ? 209 : 2;

    /// <summary>struct iocb of include/uapi/linux/aio_abi.h, little-endian, 64 bytes.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 64)]
    public struct AioControlBlock
    {
        public const ushort Read = 0,
            Write = 1,
            DataSync = 3;

        [FieldOffset(0)]
        public ulong Data;

        [FieldOffset(16)]
        public ushort Operation;

        [FieldOffset(20)]
        public uint Descriptor;

        [FieldOffset(24)]
        public byte* Buffer;

        [FieldOffset(32)]
        public ulong Length;

        [FieldOffset(40)]
        public long Offset;
    }

    /// <summary>struct aio_ring of fs/aio.c. libaio and fio (userspace_reap) read it in the same way.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct AioRing
    {
        public const uint KnownMagic = 0xa10a10a1;

        public uint Id;
        public uint Size;
        public uint Head;
        public uint Tail;
        public uint Magic;
        public uint CompatibleFeatures;
        public uint IncompatibleFeatures;
        public uint HeaderLength;
    }

    /// <summary>struct io_event, 32 bytes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct AioEvent
    {
        public ulong Data;
        public ulong Block;
        public long Result;
        public long Result2;
    }
}
