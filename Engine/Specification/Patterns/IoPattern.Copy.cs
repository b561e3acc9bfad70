namespace IoBench.Engine;

public partial class IoPattern
{
    /// <summary>
    /// Settings that are neither lists nor part of pace, order, and content. They are listed by hand because parsers of other tools copy
    /// patterns often;
    /// a test checks that no setting is missing.
    /// </summary>
    private (
        long,
        IoBlockMix?,
        int,
        int,
        IoDepths?,
        int,
        IoBuffering,
        double?,
        int,
        IoAffinityMode,
        IoPriority,
        bool,
        int,
        bool,
        bool,
        bool
    ) SimpleSettings
    {
        get =>
            (
                BlockSize,
                BlockMix,
                ThreadCount,
                OutstandingIO,
                Depths,
                WritePercent,
                Buffering,
                ObservedLatencyMs,
                FlushEvery,
                AffinityMode,
                Priority,
                LargePages,
                Weight,
                SequentialScanHint,
                RandomAccessHint,
                TemporaryHint
            );
        set =>
            (
                BlockSize,
                BlockMix,
                ThreadCount,
                OutstandingIO,
                Depths,
                WritePercent,
                Buffering,
                ObservedLatencyMs,
                FlushEvery,
                AffinityMode,
                Priority,
                LargePages,
                Weight,
                SequentialScanHint,
                RandomAccessHint,
                TemporaryHint
            ) = value;
    }

    /// <summary>Copies this pattern to another pattern or test.</summary>
    public void CopyPatternTo(IoPattern other)
    {
        ArgumentNullException.ThrowIfNull(other);
        var copy = ClonePattern();
        (other._processors, other._observedFiles, other._settings, other._ranges) = (
            copy._processors,
            copy._observedFiles,
            copy._settings,
            null
        );
        (other._pace, other._order, other._content) = (_pace, _order, _content);
        other.SimpleSettings = SimpleSettings;
    }

    /// <summary>Creates a deep copy of the pattern without the test around it.</summary>
    public IoPattern ExtractPattern()
    {
        var pattern = new IoPattern();
        CopyPatternTo(pattern);
        return pattern;
    }

    /// <summary>Returns whether two patterns or tests have the same pattern settings.</summary>
    public bool HasSamePattern(IoPattern other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return SimpleSettings == other.SimpleSettings
            && Settings.IsSame(other.Settings)
            && Processors.SequenceEqual(other.Processors)
            && ObservedFiles.SequenceEqual(other.ObservedFiles);
    }
}
