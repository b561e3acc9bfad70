namespace IoBench.Engine.Specification.Patterns;

/// <summary>All settings of a pattern at once.</summary>
public partial class IoPattern
{
    /// <summary>
    /// What has neither a list nor a place in pace, order and content. By hand, since each text of an old tool that is read comes here; a test goes over all settings.
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
    ) Plain
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

    /// <summary>Says in another pattern, or test, what this one says.</summary>
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
        other.Plain = Plain;
    }

    /// <summary>The pattern alone, without the test around it; it shares nothing with this one.</summary>
    public IoPattern PatternAlone()
    {
        var pattern = new IoPattern();
        CopyPatternTo(pattern);
        return pattern;
    }

    /// <summary>Whether two patterns, or tests, say the same of what is done to a target.</summary>
    public bool IsSamePattern(IoPattern other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return Plain == other.Plain
            && Settings.IsSame(other.Settings)
            && Processors.SequenceEqual(other.Processors)
            && ObservedFiles.SequenceEqual(other.ObservedFiles);
    }
}
