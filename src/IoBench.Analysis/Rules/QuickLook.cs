namespace IoBench.Analysis.Rules;

/// <summary>Tests too short or on too small a file to be rated. One rule for every summary: a prompt and a workbook must not disagree about the same run.</summary>
public static class QuickLook
{
    /// <summary>20 GB are the smallest file that is not a quick look; old tools' round numbers of decimal megabytes count as such.</summary>
    private const double MinFileSizeMB = 19_000;

    /// <summary>The smallest where the storage's cache is known: what four times the cache cannot say of no cache.</summary>
    private const double MinKnownFileSizeMB = 512;

    /// <summary>A file of so many times the cache is not answered by it: the advice of the SQLIO documents.</summary>
    private const double CacheFactor = 4;

    /// <summary>What to do for a rating.</summary>
    public const string Advice =
        "For a rating use a file of 20 GB or more and 10 s or more; where the size of the storage's cache is stated (0 = none), four times that is enough.";

    /// <summary>Shorter runs see little but the beginning.</summary>
    internal const double MinSeconds = 10;

    /// <summary>Whether a run is but a quick look.</summary>
    public static bool Is(IoTestResult run)
    {
        ArgumentNullException.ThrowIfNull(run);
        if (run.DurationSeconds < MinSeconds)
            return true;
        // What the cache is decides, where somebody said it: a log volume of 7 GB need not be a quick look, 20 GB before a cache of 512 GB are one.
        return run.HeldSpecification()?.StorageCacheSize is { } cache
            ? run.FileSizeMB < Math.Max(MinKnownFileSizeMB, CacheFactor * cache / 1048576)
            : run.FileSizeMB < MinFileSizeMB || run.HasWarning(WarningCodes.QuickLook);
    }
}
