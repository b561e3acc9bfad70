using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Tests too short or on too small a file to be rated. One rule for every summary: a prompt and a workbook must not disagree about the same run.</summary>
public static class QuickLook
{
    /// <summary>20 GB are the least that is no quick look; old tools' round numbers of decimal megabytes count as such.</summary>
    private const double MinFileSizeMB = 19_000;
    /// <summary>Shorter runs see little but the beginning.</summary>
    private const double MinSeconds = 10;

    /// <summary>Whether a run is but a quick look.</summary>
    public static bool Is(IoTestResult run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return run.FileSizeMB < MinFileSizeMB || run.DurationSeconds < MinSeconds
            || run.HasWarning(WarningCodes.QuickLook);
    }
}
