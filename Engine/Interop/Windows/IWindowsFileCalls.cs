using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>File calls of Windows before and after a run. Tests use a model. An int result is 0 or the Win32 error.</summary>
internal unsafe interface IWindowsFileCalls
{
    int Open(string path, uint access, uint share, uint disposition, uint flags, out SafeFileHandle file);

    int Reopen(SafeFileHandle file, uint access, uint share, uint flags, out SafeFileHandle reopened);

    int GetInformation(SafeFileHandle file, out WindowsCalls.HandleInformation information);

    int GetInformation(SafeFileHandle file, int kind, void* information, int size);

    int SetInformation(SafeFileHandle file, int kind, void* information, int size);

    /// <summary>SetFileTime for the last write time only; -1 = this handle no longer changes it.</summary>
    int SetWriteTime(SafeFileHandle file, long time);

    /// <summary>SetFileValidData: bytes up to this length are read as they are on the disk.</summary>
    int SetValidData(SafeFileHandle file, long length);

    int Lock(SafeFileHandle file, uint flags, long start, uint length);

    int Unlock(SafeFileHandle file, long start, uint length);

    int SendControlCode(SafeFileHandle device, uint code, void* input, int inputSize, void* output, int outputSize);

    int GetDependency(SafeFileHandle disk, void* information, int size);

    /// <summary>Creates a name that one owner can have; false if it exists. Windows removes it when the owner ends.</summary>
    bool TryCreateExclusive(string name, out IDisposable claim);

    /// <summary>GetFinalPathNameByHandleW: the real name of an open file, including a stream.</summary>
    int GetFinalName(SafeFileHandle file, out string name);

    bool HasStreams(string path);

    int GetVolumeRoot(string path, out string root);

    int GetVolumeName(string root, out string name);

    int GetFileSystem(string root, out uint flags, out string fileSystem);

    int GetFreeSpace(string folder, out ulong available, out ulong total);

    int GetSectorSizes(string root, out uint sectorsPerCluster, out uint bytesPerSector);

    bool EnablePrivilege(string name);

    /// <summary>Returns fewer bytes at the end of the file. Throws <see cref="IOException"/> instead of returning an error.</summary>
    int Read(SafeFileHandle file, Span<byte> buffer, long offset);

    void Write(SafeFileHandle file, ReadOnlySpan<byte> buffer, long offset);

    void SetLength(SafeFileHandle file, long length);

    void Flush(SafeFileHandle file);
}
