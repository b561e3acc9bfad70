using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal readonly partial record struct OpenFlags
{
    private static OpenFlags? FromLinuxHandle(SafeFileHandle file)
    {
        var flags = LinuxCalls.GetFlags(file, LinuxCalls.F_GETFL, 0);
        return flags < 0
            ? null
            : new OpenFlags((flags & LinuxCalls.O_DIRECT) != 0, (flags & LinuxCalls.O_DSYNC) != 0, IsSynchronous: false);
    }
}
