namespace IoBench.Tests;

[AttributeUsage(AttributeTargets.Method)]
public sealed class RequiresFactAttribute : FactAttribute
{
    public RequiresFactAttribute(params string[] programs) => Skip = Reason(programs);

    internal static string? Reason(string[] programs) =>
        programs.Where(p => ProgramFinder.FindOnPath(p) is null).ToArray() is { Length: > 0 } missing
            ? $"needs {string.Join(", ", missing)}, which is not on the PATH"
            : null;
}

[AttributeUsage(AttributeTargets.Method)]
public sealed class RequiresTheoryAttribute : TheoryAttribute
{
    public RequiresTheoryAttribute(params string[] programs) => Skip = RequiresFactAttribute.Reason(programs);
}

public static class ProgramFinder
{
    public static string? FindOnPath(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(Path.PathSeparator)
            .Where(folder => folder.Length > 0)
            .Select(folder => Path.Combine(folder, program))
            .FirstOrDefault(File.Exists);
}
