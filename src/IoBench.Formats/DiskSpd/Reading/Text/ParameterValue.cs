namespace IoBench.Formats.DiskSpd.Reading.Text;

/// <summary>Numbers of the parameter block.</summary>
internal static class ParameterValue
{
    /// <summary>Sets what a line's number says; false when it begins with no number, or with one that is none of DiskSpd's.</summary>
    internal static bool Set<T>(T target, ReadOnlySpan<char> text, Action<T, long> set)
    {
        // Beyond what a duration can hold, a number is no number of DiskSpd's.
        if (Numbers.Leading(text) is not long value || value > uint.MaxValue)
            return false;
        set(target, value);
        return true;
    }
}
