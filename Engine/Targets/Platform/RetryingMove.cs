namespace IoBench.Engine;

/// <summary>Retries, because scanners, indexers, and backups on Windows open new files for a moment.</summary>
internal static class RetryingMove
{
    private const int AccessDenied = unchecked((int)0x80070005),
        SharingViolation = unchecked((int)0x80070020);
    private const int Tries = 10;
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(200);

    /// <exception cref="IOException">The move is refused, on Windows for 2 s.</exception>
    public static void MoveFile(string from, string to, bool overwrite)
    {
        if (OperatingSystem.IsWindows())
            RunWithRetries(() => File.Move(from, to, overwrite), () => Thread.Sleep(s_pause));
        else
            File.Move(from, to, overwrite);
    }

    internal static void RunWithRetries(Action move, Action pause)
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
