namespace IoBench.Engine.Text;

/// <summary>Names in a sentence.</summary>
public static class NameList
{
    /// <summary>The first of several, and how many there are beside: <c>oltp, checkpoint, tempdb and 1 more</c>.</summary>
    /// <param name="names">All of them.</param>
    /// <param name="max">So many are named.</param>
    /// <param name="separator">What stands between two.</param>
    public static string Of<T>(IReadOnlyCollection<T> names, int max, string separator = ", ")
    {
        ArgumentNullException.ThrowIfNull(names);
        return string.Join(separator, names.Take(max))
            + (names.Count > max ? FormattableString.Invariant($" and {names.Count - max} more") : "");
    }
}
