using System.Runtime.InteropServices;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

public static unsafe class WindowsPrivileges
{
    [StructLayout(LayoutKind.Sequential, Pack = 4)]
    private struct TokenPrivileges
    {
        public uint Count;
        public long Luid;
        public uint Attributes;
    }

    public static bool TryEnable(string privilege)
    {
        nint token;
        if (!OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY, &token))
            return false;
        try
        {
            var state = new TokenPrivileges { Count = 1, Attributes = SE_PRIVILEGE_ENABLED };
            long luid;
            if (!LookupPrivilegeValue(null, privilege, &luid))
                return false;
            state.Luid = luid;
            // The call succeeds even if no privilege was enabled; only the last error (1300) shows it.
            return AdjustTokenPrivileges(token, 0, &state, 0, 0, 0) && Marshal.GetLastPInvokeError() == 0;
        }
        finally
        {
            CloseHandle(token);
        }
    }
}
