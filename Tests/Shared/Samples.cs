namespace IoBench.Tests;

/// <summary>Finds the repository and the sample files from wherever the tests run.</summary>
public static class Samples
{
    /// <summary>The repository's top folder.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>A file of Tests/samples.</summary>
    public static string Path(params string[] parts) => System.IO.Path.Combine([Root, "Tests", "samples", .. parts]);

    /// <summary>A file of the samples that others published and that are therefore not in the repository; null where they are not at hand.</summary>
    public static string? Published(params string[] parts)
    {
        for (var folder = Directory.GetParent(Root); folder is not null; folder = folder.Parent)
            if (
                System.IO.Path.Combine([folder.FullName, "shared", "samples", .. parts]) is var path
                && (File.Exists(path) || Directory.Exists(path))
            )
                return path;
        return null;
    }

    private static string FindRoot()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
            if (File.Exists(System.IO.Path.Combine(folder.FullName, "IoBench.slnx")))
                return folder.FullName;
        throw new DirectoryNotFoundException("The tests must run from below the repository.");
    }
}
