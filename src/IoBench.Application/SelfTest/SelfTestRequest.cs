using IoBench.Engine;

namespace IoBench.Application;

/// <summary>What a user asks of the self-test.</summary>
public sealed class SelfTestRequest
{
    /// <summary>Where the test file is made: a folder on the storage that matters; null or blank = the temporary folder.</summary>
    public string? Folder { get; init; }

    /// <summary>A JSON file for the answer; null = none.</summary>
    public string? OutputPath { get; init; }

    /// <summary>Replace an <see cref="OutputPath"/> that exists.</summary>
    public bool Force { get; init; }

    /// <summary>The folder in use.</summary>
    public string FolderInUse => string.IsNullOrWhiteSpace(Folder) ? Path.GetTempPath() : Folder;

    /// <summary>A request of what was given.</summary>
    /// <param name="folder">The folder; null = not given.</param>
    /// <param name="values">Values of <see cref="OptionTables.SelfTest"/>.</param>
    public static SelfTestRequest Create(string? folder, OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(values);
        return new SelfTestRequest { Folder = folder, OutputPath = values.Text(Opt.OutputPath), Force = values.IsOn(Opt.Force) };
    }
}
