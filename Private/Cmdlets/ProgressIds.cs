namespace IoBench.PowerShell;

internal static class CmdletOutput
{
    /// <summary>
    /// Progress of a test or of the creation of its file. The ids differ, so that one progress bar does not replace another.
    /// </summary>
    public const int RunProgressId = 7350;

    public const int ImportProgressId = 7351;

    public const int AllHostsProgressId = 7359;

    /// <summary>Id of the first host; each further host has the next id.</summary>
    public const int FirstHostProgressId = 7360;
}
