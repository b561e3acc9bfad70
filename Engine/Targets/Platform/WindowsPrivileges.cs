using System.Runtime.InteropServices;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

public static unsafe class WindowsPrivileges
{
    public static bool TryEnable(string privilege)
    {
        nint token;
        if (!OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY, &token))
            return false;
        try
        {
            // TOKEN_PRIVILEGES: the count, and for each privilege its 64-bit identifier and its attributes.
            var state = stackalloc uint[4];
            state[0] = 1;
            state[3] = SE_PRIVILEGE_ENABLED;
            if (!LookupPrivilegeValue(null, privilege, (long*)(state + 1)))
                return false;
            // The call succeeds even if no privilege was enabled; only the last error (1300) shows it.
            return AdjustTokenPrivileges(token, 0, state, 0, 0, 0) && Marshal.GetLastPInvokeError() == 0;
        }
        finally
        {
            CloseHandle(token);
        }
    }
}
