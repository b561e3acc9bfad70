namespace IoBench.Formats;

internal static class DiskSpdParameterParser
{
    internal static bool TrySetNumber<T>(T target, ReadOnlySpan<char> text, Action<T, long> set)
    {
        // DiskSpd does not print a larger number here, and a duration could not hold it.
        if (ToolNumberParser.ParseLeadingInteger(text) is not long value || value > uint.MaxValue)
            return false;
        set(target, value);
        return true;
    }
}
