using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>
/// Calls that open, describe, mark, lock, and fill files, and query volumes and devices, on Windows. Tests run against a model of them.
/// Only operations before and after a run use this interface; the I/O of a run uses <see cref="ICompletionPort"/>. Methods with an int
/// result return 0 or the Win32 error. Disposing of a handle closes it.
/// </summary>
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

    /// <summary>
    /// Creates a named object that only one owner on the computer can have; returns false if it exists. Windows removes it when the owner
    /// disposes of it or ends.
    /// </summary>
    bool TryCreateExclusive(string name, out IDisposable claim);

    /// <summary>GetFinalPathNameByHandleW: the real name of an open file, including a stream.</summary>
    int GetFinalName(SafeFileHandle file, out string name);

    bool HasStreams(string path);

    int GetVolumeRoot(string path, out string root);

    int GetVolumeName(string root, out string name);

    int GetFileSystem(string root, out uint flags, out string fileSystem);

    int GetFreeSpace(string folder, out ulong available, out ulong total);

    int GetSectorSizes(string root, out uint sectorsPerCluster, out uint bytesPerSector);

    /// <summary>Returns false if the account does not have the privilege.</summary>
    bool EnablePrivilege(string name);

    /// <summary>Reads at an offset. Returns fewer bytes at the end of the file, not an error number.</summary>
    /// <exception cref="IOException">The read failed.</exception>
    int Read(SafeFileHandle file, Span<byte> buffer, long offset);

    /// <exception cref="IOException">The write failed.</exception>
    void Write(SafeFileHandle file, ReadOnlySpan<byte> buffer, long offset);

    /// <exception cref="IOException">The size could not be set.</exception>
    void SetLength(SafeFileHandle file, long length);

    void Flush(SafeFileHandle file);
}
