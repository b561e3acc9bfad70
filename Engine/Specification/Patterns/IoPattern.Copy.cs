namespace IoBench.Engine.Specification.Patterns;

/// <summary>All settings of a pattern at once.</summary>
public partial class IoPattern
{
    /// <summary>Says in another pattern, or test, what this one says.</summary>
    public void CopyPatternTo(IoPattern other)
    {
        ArgumentNullException.ThrowIfNull(other);
        var copy = ClonePattern();
        // By hand, since each text of an old tool that is read comes here; a test goes over all settings.
        (other._processors, other._observedFiles, other._settings, other._ranges) = (copy._processors, copy._observedFiles, copy._settings, null);
        (other._pace, other._order, other._content) = (_pace, _order, _content);
        (other.BlockSize, other.BlockMix, other.ThreadCount, other.OutstandingIO, other.Depths) = (BlockSize, BlockMix, ThreadCount, OutstandingIO, Depths);
        (other.WritePercent, other.Buffering, other.ObservedLatencyMs, other.FlushEvery) = (WritePercent, Buffering, ObservedLatencyMs, FlushEvery);
        (other.AffinityMode, other.Priority, other.LargePages, other.Weight) = (AffinityMode, Priority, LargePages, Weight);
        (other.SequentialScanHint, other.RandomAccessHint, other.TemporaryHint) = (SequentialScanHint, RandomAccessHint, TemporaryHint);
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
        // By hand, as above. Pace, order and content are compared by their flat settings, those that have no place in a case with them.
        return (BlockSize, ThreadCount, OutstandingIO, WritePercent, Buffering, ObservedLatencyMs, FlushEvery)
            == (other.BlockSize, other.ThreadCount, other.OutstandingIO, other.WritePercent, other.Buffering, other.ObservedLatencyMs, other.FlushEvery)
            && (AffinityMode, Priority, LargePages, Weight, SequentialScanHint, RandomAccessHint, TemporaryHint)
            == (other.AffinityMode, other.Priority, other.LargePages, other.Weight, other.SequentialScanHint, other.RandomAccessHint, other.TemporaryHint)
            && Equals(BlockMix, other.BlockMix) && Equals(Depths, other.Depths)
            && Processors.SequenceEqual(other.Processors) && ObservedFiles.SequenceEqual(other.ObservedFiles) && Settings.IsSame(other.Settings);
    }
}
