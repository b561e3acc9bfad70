using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Windows' file calls that .NET does not offer.</summary>
internal static unsafe partial class WindowsCalls
{
    public const uint GenericRead = 0x80000000, GenericWrite = 0x40000000;
    public const uint ShareReadWriteDelete = 7;
    public const uint CreateNew = 1, CreateAlways = 2, OpenExisting = 3;
    public const uint FlagOpenReparsePoint = 0x00200000, FlagBackupSemantics = 0x02000000, FlagNoBuffering = 0x20000000;
    public const uint AttributeDirectory = 0x10, AttributeSparse = 0x200, AttributeReparsePoint = 0x400, AttributeCompressed = 0x800, AttributeEncrypted = 0x4000;
    public const int FileIdInfoClass = 18;
    public const uint VolumeNamedStreams = 0x00040000, VolumeReadOnly = 0x00080000;

    /// <summary>BY_HANDLE_FILE_INFORMATION.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct HandleInformation
    {
        public uint Attributes;
        public uint CreationLow, CreationHigh, AccessLow, AccessHigh, WriteLow, WriteHigh;
        public uint VolumeSerial, SizeHigh, SizeLow, LinkCount, IndexHigh, IndexLow;
    }

    /// <summary>FILE_ID_INFO.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct FileIdInfo
    {
        public ulong VolumeSerial;
        public ulong IdLow, IdHigh;
    }

    /// <summary>WIN32_FIND_STREAM_DATA: size and a name of MAX_PATH + 36 characters.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct FindStreamData
    {
        public long Size;
        public fixed char Name[296];
    }

    [LibraryImport("kernel32", EntryPoint = "CreateFileW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    public static partial SafeFileHandle CreateFile(string path, uint access, uint share, nint security, uint disposition, uint flags, nint template);

    [LibraryImport("kernel32", EntryPoint = "ReOpenFile", SetLastError = true)]
    public static partial nint ReOpenFile(SafeFileHandle file, uint access, uint share, uint flags);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetFileInformationByHandle(SafeFileHandle file, HandleInformation* information);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetFileInformationByHandleEx(SafeFileHandle file, int kind, void* information, uint size);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool SetFileTime(SafeFileHandle file, long* creation, long* access, long* write);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool SetFileValidData(SafeFileHandle file, long length);

    [LibraryImport("kernel32", EntryPoint = "GetCompressedFileSizeW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    public static partial uint GetCompressedFileSize(string path, uint* high);

    [LibraryImport("kernel32", EntryPoint = "GetDiskFreeSpaceExW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetDiskFreeSpace(string path, ulong* available, ulong* total, ulong* free);

    [LibraryImport("kernel32", EntryPoint = "GetDiskFreeSpaceW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetDiskGeometry(string root, uint* sectorsPerCluster, uint* bytesPerSector, uint* freeClusters, uint* clusters);

    [LibraryImport("kernel32", EntryPoint = "GetVolumePathNameW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetVolumePathName(string path, char* volume, uint length);

    [LibraryImport("kernel32", EntryPoint = "GetVolumeInformationW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetVolumeInformation(string root, char* name, uint nameLength, uint* serial, uint* longestPart, uint* flags, char* fileSystem, uint fileSystemLength);

    [LibraryImport("kernel32", EntryPoint = "FindFirstStreamW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    public static partial nint FindFirstStream(string path, int level, FindStreamData* data, uint flags);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool FindClose(nint find);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool DeviceIoControl(SafeFileHandle device, uint code, void* input, uint inputSize, void* output, uint outputSize, uint* returned, nint overlapped);

    [LibraryImport("kernel32")]
    public static partial nint GetCurrentProcess();

    [LibraryImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool CloseHandle(nint handle);

    [LibraryImport("advapi32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool OpenProcessToken(nint process, uint access, nint* token);

    [LibraryImport("advapi32", EntryPoint = "LookupPrivilegeValueW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool LookupPrivilegeValue(string? system, string name, long* luid);

    [LibraryImport("advapi32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool AdjustTokenPrivileges(nint token, int disableAll, void* state, uint size, nint previous, nint previousSize);
}
