namespace IoBench.Workloads;

/// <summary>Confidence that SQL Server uses a pattern.</summary>
public enum WorkloadConfidence : long
{
    /// <summary>Documented by Microsoft, or found by several authors.</summary>
    High,

    /// <summary>One source or an old one; or the pattern is documented, but not its queue depth.</summary>
    Medium,

    /// <summary>Inferred from documentation.</summary>
    Low,

    /// <summary>IoBench's own choice or a convention, without a source for this exact pattern.</summary>
    Own,

    /// <summary>As published years ago, to repeat old tests.</summary>
    Historic,
}

/// <param name="Title">Published title; a description is in parentheses.</param>
/// <param name="IsExcerpt">Whether only a part was read.</param>
public sealed record WorkloadSource(string Author, string Title, string? Url, string? Published, bool IsExcerpt)
{
    /// <summary>Returns <c>Paul Randal, Trimming More Transaction Log Fat, 2013-01-22 &lt;https://…&gt; (read in part)</c>.</summary>
    public override string ToString() =>
        string.Join(", ", new[] { Author, Title, Published }.OfType<string>())
        + (Url is null ? "" : $" <{Url}>")
        + (IsExcerpt ? " (read in part)" : "");
}

/// <summary>An operation that users ask for but that has no workload, and what to test instead.</summary>
public sealed record UncoveredOperation(string Name, string Reason, IReadOnlyList<WorkloadSource> Sources);
