using System.Runtime.InteropServices;
using static IoBench.Engine.Interop.Windows.WindowsCalls;

namespace IoBench.Engine.Targets.Platform;

/// <summary>Turns on privileges that the process holds but that are off by default.</summary>
internal static unsafe class WindowsPrivileges
{
    [StructLayout(LayoutKind.Sequential, Pack = 4)]
    private struct TokenPrivileges
    {
        public uint Count;
        public long Luid;
        public uint Attributes;
    }

    /// <summary>Turns a privilege on; false when the account does not hold it.</summary>
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
            // The call succeeds even when nothing was turned on; only the last error (1300) says so.
            return AdjustTokenPrivileges(token, 0, &state, 0, 0, 0) && Marshal.GetLastPInvokeError() == 0;
        }
        finally
        {
            CloseHandle(token);
        }
    }
}
