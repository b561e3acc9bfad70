namespace IoBench.Cli;

/// <summary>The program's exit codes; scripts depend on them.</summary>
internal static class ExitCodes
{
    /// <summary>All was done.</summary>
    public const int Done = 0;

    /// <summary>A test or an I/O failed, or input could not be understood.</summary>
    public const int Failed = 1;

    /// <summary>The command is wrong, or a file is refused.</summary>
    public const int Usage = 2;

    /// <summary>A rule, a specification or a baseline was missed.</summary>
    public const int Missed = 3;

    /// <summary>Cancelled, as a shell counts SIGINT.</summary>
    public const int Cancelled = 130;
}
