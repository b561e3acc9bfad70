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
            throw CreateError("This system does not support large pages.");
        if (OperatingSystem.IsWindows() && !WindowsPrivileges.TryEnable(Privilege))
        {
            throw CreateError(
                $"The account {Environment.UserName} does not have the right to lock pages in memory ({Privilege}).",
                "Assign the right (Local Security Policy, User Rights Assignment, \"Lock pages in memory\") and sign in again, or do not use large pages."
            );
        }
        if (OperatingSystem.IsLinux() && GetFreeCount() == 0)
            throw CreateError(
                "This computer has no reserved huge pages.",
                "Reserve huge pages (sysctl vm.nr_hugepages=64), or do not use large pages. Without large pages, the system uses transparent huge pages for buffers of 2 MB or more."
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
            $"The system cannot provide {NumberFormat.Pluralize(RoundUp(bytes) / Size, "large page")} of {IoSize.Format(Size)} each for the buffers of a thread.",
            Advice
        );

    public static IoBenchException CreateTooFewError(long pages, long free) =>
        CreateError(
            $"The run needs {NumberFormat.Pluralize(pages, "large page")} of {IoSize.Format(Size)} each for its buffers, but only {free} {(free == 1 ? "is" : "are")} free.",
            Advice
        );

    private static string Advice =>
        OperatingSystem.IsWindows()
            ? "Memory is fragmented. Restart the computer, use fewer outstanding I/Os, or do not use large pages."
            : "Reserve more huge pages (sysctl vm.nr_hugepages), use fewer threads or outstanding I/Os, or do not use large pages.";

    private static IoBenchException CreateError(IoMessage reason, IoMessage? advice = null) =>
        IoBenchException.Usage("IoBench.NoLargePages", $"IoBench cannot use large pages for buffers. {reason}", advice: advice);
}
