using System.Collections;
using System.Reflection;

namespace IoBench.Engine.Specification.Patterns;

/// <summary>All settings of a pattern at once.</summary>
public partial class IoPattern
{
    // Pace, order and content are said by their flat settings, those that have no place in a case with them.
    private static readonly PropertyInfo[] s_all = [.. typeof(IoPattern).GetProperties().Where(property => property.CanWrite && property.Name is not (nameof(Pace) or nameof(Order) or nameof(Content)))];

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
    public bool IsSamePattern(IoPattern other) => Array.TrueForAll(s_all, property => IsSame(property.GetValue(this), property.GetValue(other)));

    private static bool IsSame(object? a, object? b) => a is IList x && b is IList y ? x.Cast<object>().SequenceEqual(y.Cast<object>()) : Equals(a, b);
}
