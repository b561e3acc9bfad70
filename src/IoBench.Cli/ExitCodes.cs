namespace IoBench.Cli;

/// <summary>Scripts depend on these exit codes.</summary>
internal static class ExitCodes
{
    public const int Success = 0;

    /// <summary>A test, an I/O, or a read failed.</summary>
    public const int Failed = 1;

    /// <summary>The command is invalid, or a file was refused.</summary>
    public const int Usage = 2;

    /// <summary>The verdict is FAIL or NOT RATED, a baseline, provisioned limit, or specification was not met, or an error log contains
    /// error 823, 824, or 825.</summary>
    public const int RequirementNotMet = 3;

    /// <summary>As shells report SIGINT.</summary>
    public const int Canceled = 130;
}
