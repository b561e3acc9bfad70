namespace IoBench.Application.Imports;

/// <summary>Where the label of an imported result comes from when none is given.</summary>
public enum LabelSource
{
    /// <summary>What the file says.</summary>
    Content,
    /// <summary>The file's name without its extension.</summary>
    FileName,
    /// <summary>The name of the file's folder.</summary>
    Folder,
}

/// <summary>How results are read.</summary>
public sealed record ImportOptions
{
    /// <summary>Folders with their subfolders.</summary>
    public bool Recurse { get; init; }

    /// <summary>The user's name for all results; null = by <see cref="LabelFrom"/>.</summary>
    public string? Label { get; init; }

    /// <summary>Where labels come from.</summary>
    public LabelSource LabelFrom { get; init; }

    /// <summary>The tool whose output it must be; null = any.</summary>
    public ResultFormat? Expected { get; init; }
}
