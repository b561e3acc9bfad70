using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Interop.Windows;

/// <summary>
/// Every call by which IoBench opens, describes, marks, locks and fills files and asks volumes and devices on Windows: the kernel's, or those of a model that
/// tests run against. Only what happens before and after a run goes this way; a run's own I/O goes by <see cref="ICompletionPort"/>.
/// A method returns 0 or the Win32 error. A handle is closed by disposing of it.
/// </summary>
internal unsafe interface IWindowsFileCalls
{
    /// <summary>CreateFileW.</summary>
    int Open(string path, uint access, uint share, uint disposition, uint flags, out SafeFileHandle file);

    /// <summary>ReOpenFile: another handle on the very file.</summary>
    int Reopen(SafeFileHandle file, uint access, uint share, uint flags, out SafeFileHandle reopened);

    /// <summary>GetFileInformationByHandle.</summary>
    int Information(SafeFileHandle file, out WindowsCalls.HandleInformation information);

    /// <summary>GetFileInformationByHandleEx.</summary>
    int Information(SafeFileHandle file, int kind, void* information, int size);

    /// <summary>SetFileInformationByHandle.</summary>
    int SetInformation(SafeFileHandle file, int kind, void* information, int size);

    /// <summary>SetFileTime for the time of the last write alone; -1 = the handle does not move it.</summary>
    int SetWriteTime(SafeFileHandle file, long time);

    /// <summary>SetFileValidData: bytes up to there are read as they lie on the disk.</summary>
    int SetValidData(SafeFileHandle file, long length);

    /// <summary>LockFileEx.</summary>
    int Lock(SafeFileHandle file, uint flags, long start, uint length);

    /// <summary>UnlockFileEx.</summary>
    int Unlock(SafeFileHandle file, long start, uint length);

    /// <summary>DeviceIoControl.</summary>
    int Control(SafeFileHandle device, uint code, void* input, int inputSize, void* output, int outputSize);

    /// <summary>GetStorageDependencyInformation of a disk: what it depends on when it is a file.</summary>
    int Dependency(SafeFileHandle disk, void* information, int size);

    /// <summary>Makes a named object that only one holder on the computer can have; false when there is one. It is gone when its holder disposes of it, or ends.</summary>
    bool TryClaim(string name, out IDisposable claim);

    /// <summary>GetFinalPathNameByHandleW: the name that an open file really has, streams included.</summary>
    int FinalName(SafeFileHandle file, out string name);

    /// <summary>FindFirstStreamW finds one.</summary>
    bool HasStreams(string path);

    /// <summary>GetVolumePathNameW: where the volume of a path is mounted.</summary>
    int VolumeRoot(string path, out string root);

    /// <summary>GetVolumeNameForVolumeMountPointW.</summary>
    int VolumeName(string root, out string name);

    /// <summary>GetVolumeInformationW.</summary>
    int VolumeInformation(string root, out uint flags, out string fileSystem);

    /// <summary>GetDiskFreeSpaceExW.</summary>
    int Space(string folder, out ulong available, out ulong total);

    /// <summary>GetDiskFreeSpaceW.</summary>
    int Geometry(string root, out uint sectorsPerCluster, out uint bytesPerSector);

    /// <summary>Enables a privilege of the process; false when the account does not hold it.</summary>
    bool EnablePrivilege(string name);

    /// <summary>Reads at an offset; fewer bytes at the end of the file.</summary>
    /// <exception cref="IOException">It failed.</exception>
    int Read(SafeFileHandle file, Span<byte> buffer, long offset);

    /// <summary>Writes all at an offset.</summary>
    /// <exception cref="IOException">It failed.</exception>
    void Write(SafeFileHandle file, ReadOnlySpan<byte> buffer, long offset);

    /// <summary>Sets the end of the file.</summary>
    /// <exception cref="IOException">It failed.</exception>
    void SetLength(SafeFileHandle file, long length);

    /// <summary>FlushFileBuffers.</summary>
    /// <exception cref="IOException">It failed.</exception>
    void Flush(SafeFileHandle file);
}
