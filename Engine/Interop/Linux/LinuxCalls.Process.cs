using System.Runtime.InteropServices;

namespace IoBench.Engine;

internal static unsafe partial class LinuxCalls
{
    public const int PR_SET_TIMERSLACK = 29,
        RLIMIT_NPROC = 6,
        RLIMIT_NOFILE = 7,
        RLIMIT_MEMLOCK = 8;

    public const int SIGINT = 2,
        SIGTERM = 15;

    public static readonly int SYS_ioprio_set = IsX64 ? 251 : 30,
        SYS_ioprio_get = IsX64 ? 252 : 31,
        SYS_gettid = IsX64 ? 186 : 178,
        SYS_perf_event_open = IsX64 ? 298 : 241;

    [DllImport(LibC, EntryPoint = "prctl")]
    public static extern int Prctl(int option, nint a2, nint a3, nint a4, nint a5);

    [DllImport(LibC, EntryPoint = "sched_setaffinity")]
    public static extern int SchedSetAffinity(int process, nuint size, void* mask);

    [DllImport(LibC, EntryPoint = "sched_getaffinity")]
    public static extern int SchedGetAffinity(int process, nuint size, void* mask);

    /// <summary>User and kernel time of a process (who = 0): struct rusage begins with two timevals.</summary>
    [DllImport(LibC, EntryPoint = "getrusage")]
    public static extern int GetRusage(int who, long* usage);

    [DllImport(LibC, EntryPoint = "getrlimit")]
    public static extern int GetRlimit(int resource, ulong* limits);

    [DllImport(LibC, EntryPoint = "geteuid")]
    public static extern uint GetEffectiveUserId();
}
