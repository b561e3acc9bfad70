namespace IoBench.Tests;

public static class SampleFiles
{
    public static string RepositoryRoot { get; } = FindRepositoryRoot();

    public static string GetPath(params string[] parts) => System.IO.Path.Combine([RepositoryRoot, "Tests", "samples", .. parts]);

    /// <summary>Path of a published sample file, which is not in the repository; null if it is not available.</summary>
    public static string? FindPublished(params string[] parts)
    {
        for (var folder = Directory.GetParent(RepositoryRoot); folder is not null; folder = folder.Parent)
            if (
                System.IO.Path.Combine([folder.FullName, "shared", "samples", .. parts]) is var path
                && (File.Exists(path) || Directory.Exists(path))
            )
                return path;
        return null;
    }

    private static string FindRepositoryRoot()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
            if (File.Exists(System.IO.Path.Combine(folder.FullName, "IoBench.slnx")))
                return folder.FullName;
        throw new DirectoryNotFoundException("The tests must run from below the repository.");
    }
}
