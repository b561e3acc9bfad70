using IoBench.Engine;

namespace IoBench.Application;

public sealed class HostCheckRequest
{
    /// <summary>Folders for the test file, on the storage to check; empty for the temporary folder.</summary>
    public IReadOnlyList<string> Folders { get; init; } = [];

    /// <summary>JSON file for the report; null for none.</summary>
    public string? OutputPath { get; init; }

    /// <summary>File for the metrics; null for none.</summary>
    public string? MetricsPath { get; init; }

    public bool Force { get; init; }

    /// <summary><see cref="Folders"/>, or the user's temporary folder.</summary>
    public IReadOnlyList<string> FoldersInUse => Folders.Count > 0 ? Folders : [Path.GetTempPath()];

    public static HostCheckRequest Create(IEnumerable<string?> folders, OptionValues values)
    {
        return new HostCheckRequest
        {
            Folders = [.. folders.OfType<string>().Where(folder => !string.IsNullOrWhiteSpace(folder)).Distinct()],
            OutputPath = values.GetText(OptionNames.OutputPath),
            MetricsPath = values.GetText(new OptionName("MetricsPath")),
            Force = values.IsOn(OptionNames.Force),
        };
    }
}
