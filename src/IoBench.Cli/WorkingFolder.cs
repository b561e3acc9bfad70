namespace IoBench.Cli;

/// <summary>The current folder, which another program may have removed: then no relative name leads anywhere.</summary>
internal static class WorkingFolder
{
    /// <summary>What to say when it is gone.</summary>
    public const string Missing =
        "the current folder does not exist any more (it was removed or moved): change to another folder, or give full paths.";

    /// <summary>Whether it is there.</summary>
    public static bool Exists()
    {
        try
        {
            return Directory.Exists(Environment.CurrentDirectory);
        }
        catch (IOException)
        {
            // What the system says of a folder that is gone.
            return false;
        }
    }
}
