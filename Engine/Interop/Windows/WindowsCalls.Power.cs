using System.Runtime.InteropServices;

namespace IoBench.Engine;

internal static unsafe partial class WindowsCalls
{
    [LibraryImport("powrprof")]
    public static partial uint PowerGetActiveScheme(nint root, Guid** scheme);

    [LibraryImport("powrprof")]
    public static partial uint PowerReadFriendlyName(nint root, Guid* scheme, Guid* group, Guid* setting, byte* name, uint* size);
}
