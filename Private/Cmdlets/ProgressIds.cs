namespace IoBench.PowerShell;

internal static class ProgressIds
{
    /// <summary>
    /// Progress of a test or of the creation of its file. The ids differ, so that one progress bar does not replace another.
    /// </summary>
    public const int Run = 7350;

    public const int Import = 7351;

    public const int Hosts = 7359;

    /// <summary>Id of the first host; each further host has the next id.</summary>
    public const int Host = 7360;
}
