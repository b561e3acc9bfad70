namespace IoBench.PowerShell.Cmdlets;

/// <summary>Ids of progress bars, so that one does not take another's place.</summary>
internal static class ProgressIds
{
    /// <summary>A test, and the file that is made for it.</summary>
    public const int Run = 7350;

    /// <summary>Files that are read.</summary>
    public const int Import = 7351;

    /// <summary>All hosts of a call.</summary>
    public const int Hosts = 7359;

    /// <summary>The first host; the others follow.</summary>
    public const int Host = 7360;
}
