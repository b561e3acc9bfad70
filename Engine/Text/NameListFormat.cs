namespace IoBench.Engine;

/// <summary>Formats lists of names.</summary>
public static class NameListFormat
{
    /// <summary>Lists the first names and the number of the others: <c>oltp, checkpoint, tempdb and 1 more</c>.</summary>
    /// <param name="names">All names.</param>
    /// <param name="max">Maximum number of listed names.</param>
    /// <param name="separator">Text between two names.</param>
    public static string Format<T>(IReadOnlyCollection<T> names, int max, string separator = ", ")
    {
        ArgumentNullException.ThrowIfNull(names);
        return string.Join(separator, names.Take(max))
            + (names.Count > max ? FormattableString.Invariant($" and {names.Count - max} more") : "");
    }
}
