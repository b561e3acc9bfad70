using IoBench.Engine;

namespace IoBench.Application;

public sealed class SelfTestRequest
{
    /// <summary>Folder for the test file, on the storage to check; null or blank for the temporary folder.</summary>
    public string? Folder { get; init; }

    /// <summary>JSON file for the report; null for none.</summary>
    public string? OutputPath { get; init; }

    public bool Force { get; init; }

    /// <summary>DiskSpd program to compare with; null for none.</summary>
    public string? DiskSpdPath { get; init; }

    internal int DiskSpdPairs { get; init; } = 4;

    /// <summary>Program for the shutdown check; null in the module, which has no program.</summary>
    public SelfTestChildProgram? Program { get; init; }

    /// <summary><see cref="Folder"/>, or the user's temporary folder.</summary>
    public string FolderInUse => string.IsNullOrWhiteSpace(Folder) ? Path.GetTempPath() : Folder;

    public static SelfTestRequest Create(string? folder, OptionValues values, SelfTestChildProgram? program = null)
    {
        ArgumentNullException.ThrowIfNull(values);
        return new SelfTestRequest
        {
            Folder = folder,
            OutputPath = values.GetText(OptionNames.OutputPath),
            Force = values.IsOn(OptionNames.Force),
            DiskSpdPath = values.GetText(new OptionName(nameof(DiskSpdPath))),
            Program = program,
        };
    }
}
