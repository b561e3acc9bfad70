using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal static unsafe partial class WindowsCalls
{
    public const uint GENERIC_READ = 0x80000000,
        GENERIC_WRITE = 0x40000000,
        DELETE = 0x00010000,
        FILE_READ_ATTRIBUTES = 0x80,
        FILE_WRITE_ATTRIBUTES = 0x100;
    public const uint FILE_SHARE_READ = 1,
        FILE_SHARE_WRITE = 2,
        FILE_SHARE_DELETE = 4,
        ShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    public const uint CREATE_NEW = 1,
        CREATE_ALWAYS = 2,
        OPEN_EXISTING = 3,
        OPEN_ALWAYS = 4;
    public const uint FILE_ATTRIBUTE_DIRECTORY = 0x10,
        FILE_ATTRIBUTE_NORMAL = 0x80,
        FILE_ATTRIBUTE_TEMPORARY = 0x100,
        FILE_ATTRIBUTE_SPARSE_FILE = 0x200,
        FILE_ATTRIBUTE_REPARSE_POINT = 0x400,
        FILE_ATTRIBUTE_COMPRESSED = 0x800,
        FILE_ATTRIBUTE_ENCRYPTED = 0x4000,
        FILE_ATTRIBUTE_INTEGRITY_STREAM = 0x8000;
    public const uint FILE_FLAG_OPEN_REPARSE_POINT = 0x00200000,
        FILE_FLAG_BACKUP_SEMANTICS = 0x02000000,
        FILE_FLAG_SEQUENTIAL_SCAN = 0x08000000,
        FILE_FLAG_RANDOM_ACCESS = 0x10000000,
        FILE_FLAG_NO_BUFFERING = 0x20000000,
        FILE_FLAG_OVERLAPPED = 0x40000000,
        FILE_FLAG_WRITE_THROUGH = 0x80000000;

    /// <summary>Allows the server of a named pipe to identify the caller, but not to impersonate it.</summary>
    public const uint SECURITY_IDENTIFICATION = 0x00010000,
        SECURITY_SQOS_PRESENT = 0x00100000;

    /// <summary>Reparse points: the bit of tags that stand for another file, and tags whose filters show the file itself.</summary>
    public const uint NameSurrogate = 0x20000000,
        IO_REPARSE_TAG_DEDUP = 0x80000013,
        IO_REPARSE_TAG_WOF = 0x80000017,
        IO_REPARSE_TAG_HSM = 0xC0000004,
        IO_REPARSE_TAG_HSM2 = 0x80000006,
        IO_REPARSE_TAG_CLOUD = 0x9000001A,
        IO_REPARSE_TAG_CLOUD_MASK = 0x0000F000;

    /// <summary>Values of FILE_INFO_BY_HANDLE_CLASS.</summary>
    public const int FileStandardInfo = 1,
        FileDispositionInfo = 4,
        FileAttributeTagInfo = 9,
        FileIoPriorityHintInfo = 12,
        FileStorageInfo = 16,
        FileIdInfoClass = 18;

    public const int IoPriorityHintVeryLow = 0,
        IoPriorityHintLow = 1,
        IoPriorityHintNormal = 2;

    /// <summary>A value of FILE_INFORMATION_CLASS, and the bits of its result.</summary>
    public const int FileModeInformation = 16;
    public const uint FILE_WRITE_THROUGH = 0x2,
        FILE_NO_INTERMEDIATE_BUFFERING = 0x8,
        FILE_SYNCHRONOUS_IO_ALERT = 0x10,
        FILE_SYNCHRONOUS_IO_NONALERT = 0x20;

    [StructLayout(LayoutKind.Sequential)]
    public struct IoStatusBlock
    {
        public nint Status;
        public nuint Information;
    }

    /// <summary>BY_HANDLE_FILE_INFORMATION.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct HandleInformation
    {
        public uint Attributes;
        public uint CreationLow,
            CreationHigh,
            AccessLow,
            AccessHigh,
            WriteLow,
            WriteHigh;
        public uint VolumeSerial,
            SizeHigh,
            SizeLow,
            LinkCount,
            IndexHigh,
            IndexLow;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct FileIdInfo
    {
        public ulong VolumeSerial;
        public ulong IdLow,
            IdHigh;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct StandardInfo
    {
        public long AllocationSize,
            EndOfFile;
        public uint LinkCount;
        public byte DeletePending,
            Directory;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct AttributeTag
    {
        public uint Attributes,
            ReparseTag;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct StorageInfo
    {
        public uint LogicalBytesPerSector,
            PhysicalBytesPerSectorForAtomicity,
            PhysicalBytesPerSectorForPerformance,
            EffectiveBytesPerSectorForAtomicity,
            Flags,
            ByteOffsetForSectorAlignment,
            ByteOffsetForPartitionAlignment;
    }

    /// <summary>WIN32_FIND_STREAM_DATA: size and a name of MAX_PATH + 36 characters.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct FindStreamData
    {
        public long Size;
        public fixed char Name[296];
    }

    [LibraryImport(Kernel, EntryPoint = "CreateFileW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    public static partial SafeFileHandle CreateFile(
        string path,
        uint access,
        uint share,
        nint security,
        uint disposition,
        uint flags,
        nint template
    );

    [LibraryImport(Kernel, EntryPoint = "ReOpenFile", SetLastError = true)]
    public static partial nint ReOpenFile(SafeFileHandle file, uint access, uint share, uint flags);

    [LibraryImport(Kernel, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetFileInformationByHandle(SafeFileHandle file, HandleInformation* information);

    [LibraryImport(Kernel, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetFileInformationByHandleEx(SafeFileHandle file, int kind, void* information, uint size);

    [LibraryImport(Kernel, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool SetFileInformationByHandle(SafeFileHandle file, int kind, void* information, uint size);

    [LibraryImport(Kernel, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool SetFileTime(SafeFileHandle file, long* creation, long* access, long* write);

    [LibraryImport(Kernel, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool SetFileValidData(SafeFileHandle file, long length);

    [LibraryImport(Kernel, EntryPoint = "GetFinalPathNameByHandleW", SetLastError = true)]
    public static partial uint GetFinalPathNameByHandle(SafeFileHandle file, char* path, uint length, uint flags);

    [LibraryImport(Kernel, EntryPoint = "FindFirstStreamW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    public static partial nint FindFirstStream(string path, int level, FindStreamData* data, uint flags);

    /// <summary>Returns an NTSTATUS.</summary>
    [LibraryImport("ntdll")]
    public static partial int NtQueryInformationFile(
        SafeFileHandle file,
        IoStatusBlock* status,
        void* information,
        uint bytes,
        int informationClass
    );

    [LibraryImport(Kernel, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool FindClose(nint find);
}
