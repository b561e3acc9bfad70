using IoBench.Engine;

namespace IoBench.Application;

public sealed class SelfTestRequest
{
    /// <summary>Folder for the test file, on the storage to check; null or blank for the temporary folder.</summary>
    public string? Folder { get; init; }

    /// <summary>JSON file for the report; null for none.</summary>
    public string? OutputPath { get; init; }

    public bool Force { get; init; }

    /// <summary><see cref="Folder"/>, or the user's temporary folder.</summary>
    public string FolderInUse => string.IsNullOrWhiteSpace(Folder) ? Path.GetTempPath() : Folder;

    public static SelfTestRequest Create(string? folder, OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(values);
        return new SelfTestRequest
        {
            Folder = folder,
            OutputPath = values.GetText(OptionNames.OutputPath),
            Force = values.IsOn(OptionNames.Force),
        };
    }
}
