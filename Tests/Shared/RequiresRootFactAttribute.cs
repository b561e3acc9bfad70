namespace IoBench.Tests;

[AttributeUsage(AttributeTargets.Method)]
public sealed class RequiresRootFactAttribute : FactAttribute
{
    public RequiresRootFactAttribute(params string[] programs) => Skip = FindReason(programs);

    internal static string? FindReason(string[] programs)
    {
        var missing = programs.Where(p => ProgramFinder.FindOnPath(p) is null).ToArray();
        return !OperatingSystem.IsLinux() ? "needs Linux"
            : !Environment.IsPrivilegedProcess ? "needs root"
            : missing.Length > 0 ? $"needs {string.Join(", ", missing)}, which is not on the PATH"
            : programs.FirstOrDefault(p => p.StartsWith("mkfs.", StringComparison.Ordinal) && !CanKernelMount(p["mkfs.".Length..]))
                is { } make
                ? $"needs a kernel that mounts {make["mkfs.".Length..]}"
            : programs.Contains("losetup") && !File.Exists("/dev/loop-control") ? "needs loop devices, which this machine does not have"
            : null;
    }

    private static bool CanKernelMount(string fileSystem) =>
        File.ReadLines("/proc/filesystems").Any(line => line.EndsWith("\t" + fileSystem, StringComparison.Ordinal));
}

[AttributeUsage(AttributeTargets.Method)]
public sealed class RequiresRootTheoryAttribute : TheoryAttribute
{
    public RequiresRootTheoryAttribute(params string[] programs) => Skip = RequiresRootFactAttribute.FindReason(programs);
}
