using System.Collections;
using System.Reflection;

namespace IoBench.Engine;

/// <summary>All settings of a pattern at once, whatever settings come to it later.</summary>
public partial class IoPattern
{
    // Pace, order and content are said by their flat settings, those that have no place in a case with them.
    private static readonly PropertyInfo[] s_all = [.. typeof(IoPattern).GetProperties().Where(property => property.CanWrite && property.Name is not (nameof(Pace) or nameof(Order) or nameof(Content)))];

    /// <summary>Says in another pattern, or test, what this one says.</summary>
    public void CopyPatternTo(IoPattern other)
    {
        var copy = ClonePattern();
        foreach (var property in s_all)
            property.SetValue(other, property.GetValue(copy));
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
