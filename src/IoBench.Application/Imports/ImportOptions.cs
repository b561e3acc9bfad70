using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Source of an imported result's label if the user does not specify one.</summary>
public enum LabelSource
{
    /// <summary>Label that the file contains.</summary>
    Content,

    /// <summary>File name without extension.</summary>
    FileName,

    /// <summary>Name of the file's folder.</summary>
    Folder,
}

/// <summary>Options of an import.</summary>
public sealed record ImportOptions
{
    /// <summary>True to include subfolders.</summary>
    public bool Recurse { get; init; }

    /// <summary>Label for all results; null to use <see cref="LabelFrom"/>.</summary>
    public string? Label { get; init; }

    /// <summary>Source of the labels.</summary>
    public LabelSource LabelFrom { get; init; }

    /// <summary>Required format of the files; null for any.</summary>
    public ResultFormat? Expected { get; init; }

    /// <summary>Creates the options from option values.</summary>
    /// <param name="values">Values of <see cref="OptionTables.Import"/>.</param>
    /// <param name="expected">Required format of the files; null for any.</param>
    /// <exception cref="IoBenchException"><c>IoBench.ConflictingOptions</c>: a label and a source of labels were both
    /// specified.</exception>
    public static ImportOptions Create(OptionValues values, ResultFormat? expected = null)
    {
        ArgumentNullException.ThrowIfNull(values);
        var from = new OptionName(nameof(LabelFrom));
        if (values.Has(OptionNames.Label) && values.Has(from))
            throw IoBenchException.Usage("IoBench.ConflictingOptions", $"{OptionNames.Label} and {from} exclude each other: give one.");
        return new ImportOptions
        {
            Recurse = values.IsOn(OptionNames.Recurse),
            Label = values.GetText(OptionNames.Label),
            LabelFrom = values.GetText(from) is { } source ? Enum.Parse<LabelSource>(source) : LabelSource.Content,
            Expected = expected,
        };
    }
}
