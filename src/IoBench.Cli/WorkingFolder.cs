namespace IoBench.Cli;

internal static class App
{
    public const string MissingWorkingFolder =
        "the current folder does not exist any more (it was removed or moved): change to another folder, or give full paths.";

    /// <summary>Another program can remove the current folder. Relative names then do not work.</summary>
    public static bool WorkingFolderExists()
    {
        try
        {
            return Directory.Exists(Environment.CurrentDirectory);
        }
        catch (IOException)
        {
            // The system reports that the folder does not exist.
            return false;
        }
    }
}
