namespace IoBench.Workloads;

/// <summary>How well it is known that SQL Server does this.</summary>
public enum WorkloadConfidence
{
    /// <summary>Documented by Microsoft, or found by several.</summary>
    High,

    /// <summary>One source or an old one; or the pattern is documented and its depth is not.</summary>
    Medium,

    /// <summary>Inferred from what is documented.</summary>
    Low,

    /// <summary>IoBench's own choice, or a convention: no source says that SQL Server does just this.</summary>
    Own,

    /// <summary>As published years ago, kept to repeat old tests.</summary>
    Historic,
}

/// <summary>What a workload's size, order and depth rest on.</summary>
/// <param name="Author">Who published it.</param>
/// <param name="Title">As it was published; in parentheses where it is a description.</param>
/// <param name="Url">Where it can be read; null where it cannot.</param>
/// <param name="Published">Its own date; null when it has none.</param>
/// <param name="IsExcerpt">A part of it was read, not the whole.</param>
public sealed record WorkloadSource(string Author, string Title, string? Url, string? Published, bool IsExcerpt)
{
    /// <summary><c>Paul Randal, Trimming More Transaction Log Fat, 2013-01-22 &lt;https://…&gt; (read in part)</c>.</summary>
    public override string ToString() =>
        string.Join(", ", new[] { Author, Title, Published }.OfType<string>())
        + (Url is null ? "" : $" <{Url}>")
        + (IsExcerpt ? " (read in part)" : "");
}

/// <summary>What is often asked for and has no pattern.</summary>
/// <param name="Name">What it is called.</param>
/// <param name="Reason">Why it has none, and what to test in its place.</param>
/// <param name="Sources">What that rests on.</param>
public sealed record WorkloadNote(string Name, string Reason, IReadOnlyList<WorkloadSource> Sources);
