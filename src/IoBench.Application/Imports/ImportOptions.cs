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

    /// <summary>What was asked for.</summary>
    /// <param name="values">Of <see cref="OptionTables.Import"/>.</param>
    /// <param name="expected">The tool whose output it must be; null = any.</param>
    /// <exception cref="IoBenchException"><c>IoBench.ConflictingOptions</c>: two labels were asked for.</exception>
    public static ImportOptions Create(OptionValues values, ResultFormat? expected = null)
    {
        ArgumentNullException.ThrowIfNull(values);
        var from = new OptionName(nameof(LabelFrom));
        if (values.Has(Opt.Label) && values.Has(from))
            throw IoBenchException.Usage("IoBench.ConflictingOptions", $"{Opt.Label} and {from} exclude each other: give one.");
        return new ImportOptions
        {
            Recurse = values.IsOn(Opt.Recurse),
            Label = values.Text(Opt.Label),
            LabelFrom = values.Text(from) is { } source ? Enum.Parse<LabelSource>(source) : LabelSource.Content,
            Expected = expected,
        };
    }
}
