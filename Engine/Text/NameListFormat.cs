namespace IoBench.Engine;

public static class NameListFormat
{
    /// <summary>Returns a text such as <c>oltp, checkpoint, tempdb and 1 more</c>.</summary>
    public static string Format<T>(IReadOnlyCollection<T> names, int max, string separator = ", ")
    {
        ArgumentNullException.ThrowIfNull(names);
        return string.Join(separator, names.Take(max))
            + (names.Count > max ? FormattableString.Invariant($" and {names.Count - max} more") : "");
    }
}
