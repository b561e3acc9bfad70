using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Uses <c>NtQueryInformationFile(FileModeInformation)</c>, which needs no event tracing.</summary>
internal readonly partial record struct OpenFlags
{
    private static unsafe OpenFlags? FromWindowsHandle(SafeFileHandle file)
    {
        const uint synchronous = WindowsCalls.FILE_SYNCHRONOUS_IO_ALERT | WindowsCalls.FILE_SYNCHRONOUS_IO_NONALERT;
        WindowsCalls.IoStatusBlock status;
        uint mode;
        return WindowsCalls.NtQueryInformationFile(file, &status, &mode, sizeof(uint), WindowsCalls.FileModeInformation) != 0
            ? null
            : new OpenFlags(
                (mode & WindowsCalls.FILE_NO_INTERMEDIATE_BUFFERING) != 0,
                (mode & WindowsCalls.FILE_WRITE_THROUGH) != 0,
                (mode & synchronous) != 0
            );
    }
}
