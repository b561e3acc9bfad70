namespace IoBench.Engine;

/// <summary>Content of a known kind, which IoBench never overwrites.</summary>
/// <param name="Name">With its article, such as <c>an ext file system</c>.</param>
/// <param name="Offset">In bytes from the start of the file or device; null if the system did not report it.</param>
internal readonly record struct FoundContent(string Name, long? Offset)
{
    /// <summary>Whether a SQL Server file was found, which is not read without consent either.</summary>
    public bool IsSqlServer { get; init; }

    public override string ToString() => Offset is { } at ? FormattableString.Invariant($"{Name} (at offset {at:N0})") : Name;
}
