namespace IoBench.Formats;

/// <summary>Limits of SQLIO 1.5, from its usage text.</summary>
internal static class SqlioCommandLine
{
    public const int MaxThreads = 256;

    /// <summary>Files, including those of <c>-d</c> and <c>-R</c>.</summary>
    public const int MaxFiles = 256;

    /// <summary>Characters of a file name.</summary>
    public const int MaxNameLength = 256;
}
