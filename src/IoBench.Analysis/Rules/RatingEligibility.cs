using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Recognizes preliminary tests, whose file is too small or whose run is too short for a rating.</summary>
public static class RatingEligibility
{
    /// <summary>A test file of 20 GB qualifies for a rating. The limit is lower because old tools use decimal megabytes.</summary>
    private const double MinFileSizeMB = 19_000;

    private const double MinKnownFileSizeMB = 512;

    /// <summary>A test file of at least this many times the cache size is not served from cache. Source: documents of SQLIO.</summary>
    private const double CacheFactor = 4;

    public const string Advice =
        "The test file is small or the runs are short. For a rating, use a file of at least 20 GB and runs of at least 10 s. "
        + "If you state the size of the storage cache (0 = no cache), a file of four times that size is enough.";

    internal const double MinSeconds = 10;

    public static bool IsPreliminary(IoTestResult run)
    {
        if (run.DurationSeconds < MinSeconds)
            return true;
        // A stated cache size decides: a log volume of 7 GB can be large enough, while 20 GB are too small for a cache of 512 GB.
        return run.GetStoredSpecification()?.StorageCacheSize is { } cache
            ? run.FileSizeMB < Math.Max(MinKnownFileSizeMB, CacheFactor * cache / 1048576)
            : run.FileSizeMB < MinFileSizeMB || run.HasWarning(WarningCodes.QuickLook);
    }
}
