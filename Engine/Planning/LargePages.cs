namespace IoBench.Engine;

/// <summary>MEM_LARGE_PAGES on Windows, MAP_HUGETLB on Linux. A run that cannot get them is refused instead of using small pages.</summary>
internal static class LargePages
{
    private const string Privilege = "SeLockMemoryPrivilege";

    /// <summary>Bytes per large page; 0 if the system has none.</summary>
    public static long Size { get; } =
        OperatingSystem.IsWindows() ? (long)WindowsCalls.GetLargePageMinimum()
        : OperatingSystem.IsLinux() ? 1024 * (KernelFile.ReadMemInfo("Hugepagesize") ?? 0)
        : 0;

    /// <exception cref="IoBenchException"><c>IoBench.NoLargePages</c>.</exception>
    public static void Check(IoTestSpecification specification)
    {
        if (specification.Targets.Exists(t => specification.GetPattern(t).LargePages))
            CheckAvailable();
    }

    public static void CheckAvailable()
    {
        if (Size == 0)
            throw CreateError("this system has no large pages.");
        if (OperatingSystem.IsWindows() && !WindowsPrivileges.TryEnable(Privilege))
        {
            throw CreateError(
                $"the account {Environment.UserName} may not lock pages in memory ({Privilege}).",
                "Give it that right (Local Security Policy, User Rights Assignment, \"Lock pages in memory\") and sign in again, or leave large pages out."
            );
        }
        if (OperatingSystem.IsLinux() && GetFreeCount() == 0)
            throw CreateError(
                "no huge pages are reserved here.",
                "Reserve some (sysctl vm.nr_hugepages=64), or leave large pages out: transparent ones are used anyway where a thread's buffers take 2 MB or more."
            );
    }

    public static long? GetFreeCount()
    {
        if (!OperatingSystem.IsLinux() || KernelFile.ReadMemInfo("HugePages_Free") is not { } free)
            return null;
        // Reserved pages count as free until they are used. With overcommit, the kernel can create more pages than the configured ones.
        var more = (KernelFile.ReadNumber("/proc/sys/vm/nr_overcommit_hugepages") ?? 0) - (KernelFile.ReadMemInfo("HugePages_Surp") ?? 0);
        return Math.Max(0, free - (KernelFile.ReadMemInfo("HugePages_Rsvd") ?? 0) + more);
    }

    public static long RoundUp(long bytes) => (bytes + Size - 1) / Size * Size;

    public static IoBenchException CreateTooFewError(long bytes) =>
        CreateError(
            $"the system does not have {NumberFormat.Pluralize(RoundUp(bytes) / Size, "large page")} of {new IoSize(Size).ToDisplayString()} for a thread's buffers.",
            Advice
        );

    public static IoBenchException CreateTooFewError(long pages, long free) =>
        CreateError(
            $"the run needs {NumberFormat.Pluralize(pages, "large page")} of {new IoSize(Size).ToDisplayString()} for its buffers, and {free} {(free == 1 ? "is" : "are")} free.",
            Advice
        );

    private static string Advice =>
        OperatingSystem.IsWindows()
            ? "Memory is too scattered: restart the computer, use fewer outstanding I/Os, or leave large pages out."
            : "Reserve more (sysctl vm.nr_hugepages), use fewer threads or outstanding I/Os, or leave large pages out.";

    private static IoBenchException CreateError(IoMessage reason, IoMessage? advice = null) =>
        IoBenchException.Usage("IoBench.NoLargePages", $"large pages for buffers: {reason}", advice: advice);
}
