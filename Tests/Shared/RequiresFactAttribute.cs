namespace IoBench.Tests;

/// <summary>A fact that runs where the named programs are on the PATH, and is reported as skipped, with the reason, where they are not.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RequiresFactAttribute : FactAttribute
{
    public RequiresFactAttribute(params string[] programs)
    {
        var missing = programs.Where(p => Tool.Find(p) is null).ToArray();
        if (missing.Length > 0)
            Skip = $"needs {string.Join(", ", missing)}, which is not on the PATH";
    }
}

/// <summary>Looks up programs as a shell would.</summary>
public static class Tool
{
    public static string? Find(string program) => (Environment.GetEnvironmentVariable("PATH") ?? "")
        .Split(Path.PathSeparator)
        .Where(folder => folder.Length > 0)
        .Select(folder => Path.Combine(folder, program))
        .FirstOrDefault(File.Exists);
}
