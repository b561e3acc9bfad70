using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Source of an imported result's label if the user does not specify one.</summary>
public enum LabelSource
{
    Content,

    FileName,

    Folder,
}

public sealed record ImportOptions
{
    public bool Recurse { get; init; }

    /// <summary>Label for all results; null to use <see cref="LabelFrom"/>.</summary>
    public string? Label { get; init; }

    public LabelSource LabelFrom { get; init; }

    /// <summary>Required format of the files; null for any.</summary>
    public ResultFormat? Expected { get; init; }

    public static ImportOptions Create(OptionValues values, ResultFormat? expected = null)
    {
        ArgumentNullException.ThrowIfNull(values);
        var from = new OptionName(nameof(LabelFrom));
        if (values.Has(OptionNames.Label) && values.Has(from))
            throw IoBenchException.Usage("IoBench.ConflictingOptions", $"{OptionNames.Label} and {from} cannot be combined.");
        return new ImportOptions
        {
            Recurse = values.IsOn(OptionNames.Recurse),
            Label = values.GetText(OptionNames.Label),
            LabelFrom = values.GetText(from) is { } source ? Enum.Parse<LabelSource>(source) : LabelSource.Content,
            Expected = expected,
        };
    }
}
