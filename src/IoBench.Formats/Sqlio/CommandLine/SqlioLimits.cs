namespace IoBench.Formats.Sqlio.CommandLine;

/// <summary>What SQLIO 1.5 allows at most (its usage text).</summary>
internal static class SqlioLimits
{
    /// <summary>Threads of a file, by <c>-t</c> or in a line of a parameter file.</summary>
    public const int MaxThreads = 256;

    /// <summary>Files, those of <c>-d</c> and <c>-R</c> included.</summary>
    public const int MaxFiles = 256;

    /// <summary>Characters of a file's name.</summary>
    public const int MaxNameLength = 256;
}
