namespace IoBench.Engine.Targets.Platform;

/// <summary>Puts a fresh file in another's place. On Windows scanners, indexers and backups open fresh files for moments, and a name is refused meanwhile: so it is tried again.</summary>
internal static class PatientMove
{
    private const int AccessDenied = unchecked((int)0x80070005),
        SharingViolation = unchecked((int)0x80070020);
    private const int Tries = 10;
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(200);

    /// <summary>Renames a file.</summary>
    /// <exception cref="IOException">The name is refused, on Windows for 2 s.</exception>
    /// <exception cref="UnauthorizedAccessException">As above.</exception>
    public static void Move(string from, string to, bool overwrite)
    {
        if (OperatingSystem.IsWindows())
            Try(() => File.Move(from, to, overwrite), () => Thread.Sleep(s_pause));
        else
            File.Move(from, to, overwrite);
    }

    /// <summary>Tries until it is not refused for a moment's reason, ten times at most.</summary>
    internal static void Try(Action move, Action pause)
    {
        for (var left = Tries - 1; ; left--)
        {
            try
            {
                move();
                return;
            }
            catch (Exception e)
                when (left > 0 && (e is IOException or UnauthorizedAccessException) && e.HResult is AccessDenied or SharingViolation)
            {
                pause();
            }
        }
    }
}
