using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>Structures and constants of io_uring from the kernel's include/uapi/linux/io_uring.h, the same on x64 and arm64.</summary>
internal static class IoUringAbi
{
    public const uint SETUP_IOPOLL = 1 << 0,
        SETUP_SQPOLL = 1 << 1,
        SETUP_HYBRID_IOPOLL = 1 << 17;
    public const uint SQ_NEED_WAKEUP = 1 << 0;
    public const uint SETUP_CLAMP = 1 << 4,
        SETUP_SUBMIT_ALL = 1 << 7,
        SETUP_COOP_TASKRUN = 1 << 8,
        SETUP_SINGLE_ISSUER = 1 << 12,
        SETUP_DEFER_TASKRUN = 1 << 13,
        SETUP_NO_SQARRAY = 1 << 16;
    public const uint SETUP_SQE128 = 1 << 10,
        SETUP_CQE32 = 1 << 11;
    public const uint FEAT_SINGLE_MMAP = 1 << 0,
        FEAT_NODROP = 1 << 1,
        FEAT_EXT_ARG = 1 << 8;
    public const uint ENTER_GETEVENTS = 1 << 0,
        ENTER_SQ_WAKEUP = 1 << 1,
        ENTER_EXT_ARG = 1 << 3,
        ENTER_REGISTERED_RING = 1 << 4;
    public const int REGISTER_BUFFERS = 0,
        UNREGISTER_BUFFERS = 1,
        REGISTER_FILES = 2,
        UNREGISTER_FILES = 3,
        REGISTER_RING_FDS = 20,
        UNREGISTER_RING_FDS = 21;
    public const byte OP_FSYNC = 3,
        OP_READ_FIXED = 4,
        OP_WRITE_FIXED = 5,
        OP_READ = 22,
        OP_WRITE = 23;
    public const byte SQE_FIXED_FILE = 1;
    public const uint FSYNC_DATASYNC = 1;
    public const nint OFF_SQ_RING = 0,
        OFF_SQES = 0x10000000;

    [StructLayout(LayoutKind.Sequential)]
    public struct SubmissionOffsets
    {
        public uint Head,
            Tail,
            RingMask,
            RingEntries,
            Flags,
            Dropped,
            Array,
            Reserved;
        public ulong UserAddress;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct CompletionOffsets
    {
        public uint Head,
            Tail,
            RingMask,
            RingEntries,
            Overflow,
            Cqes,
            Flags,
            Reserved;
        public ulong UserAddress;
    }

    /// <summary>struct io_uring_params, 120 bytes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Parameters
    {
        public uint SqEntries,
            CqEntries,
            Flags,
            SqThreadCpu,
            SqThreadIdle,
            Features,
            WqFd,
            Reserved0,
            Reserved1,
            Reserved2;
        public SubmissionOffsets Sq;
        public CompletionOffsets Cq;
    }

    /// <summary>struct io_uring_sqe, 64 bytes.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 64)]
    public struct Submission
    {
        [FieldOffset(0)]
        public byte Opcode;

        [FieldOffset(1)]
        public byte Flags;

        [FieldOffset(2)]
        public ushort Priority;

        [FieldOffset(4)]
        public int Descriptor;

        [FieldOffset(8)]
        public long Offset;

        [FieldOffset(16)]
        public unsafe byte* Address;

        [FieldOffset(24)]
        public int Length;

        [FieldOffset(28)]
        public uint OperationFlags;

        [FieldOffset(32)]
        public ulong UserData;

        [FieldOffset(40)]
        public ushort BufferIndex;
    }

    /// <summary>struct io_uring_cqe, 16 bytes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Completion
    {
        public ulong UserData;
        public int Result;
        public uint Flags;
    }

    /// <summary>struct io_uring_getevents_arg: the time limit of a wait.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct EnterArgument
    {
        public ulong SignalMask;
        public uint SignalMaskSize,
            Reserved;
        public LinuxCalls.Timespec* Timeout;
    }

    /// <summary>struct io_uring_rsrc_update.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ResourceUpdate
    {
        public uint Offset,
            Reserved;
        public ulong Data;
    }

    /// <summary>struct iovec.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct IoVector
    {
        public byte* Base;
        public nuint Length;
    }
}
