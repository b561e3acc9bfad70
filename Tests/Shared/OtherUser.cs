using System.Diagnostics;

namespace IoBench.Tests;

/// <summary>Creates files and links of another user. Needs root.</summary>
internal static class OtherUser
{
    public const int Id = 65534;

    /// <summary>Creates a folder like /tmp: all users can write to it, and only owners can remove.</summary>
    public static string CreateStickyFolder(string path)
    {
        Directory.CreateDirectory(path);
        Run("chmod", "1777", path);
        return path;
    }

    public static void CreateLink(string path, string target)
    {
        File.CreateSymbolicLink(path, target);
        TakeOwnership(path);
    }

    public static void TakeOwnership(string path) => Run("chown", "-h", $"{Id}:{Id}", path);

    public static string ReadOwner(string path) => Run("stat", "-c", "%u:%g", path).Trim();

    private static string Run(string program, params string[] args)
    {
        using var process = Process.Start(new ProcessStartInfo(program, args) { RedirectStandardOutput = true })!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
        return output;
    }
}
