namespace IoBench.Application.SelfTest;

/// <summary>What a user asks of the self-test.</summary>
public sealed class SelfTestRequest
{
    /// <summary>Where the test file is made: a folder on the storage that matters; null or blank = the temporary folder.</summary>
    public string? Folder { get; init; }

    /// <summary>A JSON file for the answer; null = none.</summary>
    public string? OutputPath { get; init; }

    /// <summary>Replace an <see cref="OutputPath"/> that exists.</summary>
    public bool Force { get; init; }

    /// <summary>A DiskSpd to compare with; null = none.</summary>
    public string? DiskSpdPath { get; init; }

    /// <summary>Pairs of runs of each load beside DiskSpd, of 2 s each.</summary>
    internal int DiskSpdPairs { get; init; } = 4;

    /// <summary>What starts the program that ends are tried with; null = the module, which has none.</summary>
    public SelfTestProgram? Program { get; init; }

    /// <summary>Where the test files go: <see cref="Folder"/>, or without one the user's folder for temporary files.</summary>
    public string FolderInUse => string.IsNullOrWhiteSpace(Folder) ? Path.GetTempPath() : Folder;

    /// <summary>A request of what was given.</summary>
    /// <param name="folder">The folder; null = not given.</param>
    /// <param name="values">Values of <see cref="OptionTables.SelfTest"/>.</param>
    /// <param name="program">What starts the program that ends are tried with; null = nothing is known to.</param>
    public static SelfTestRequest Create(string? folder, OptionValues values, SelfTestProgram? program = null)
    {
        ArgumentNullException.ThrowIfNull(values);
        return new SelfTestRequest
        {
            Folder = folder,
            OutputPath = values.Text(Opt.OutputPath),
            Force = values.IsOn(Opt.Force),
            DiskSpdPath = values.Text(new OptionName(nameof(DiskSpdPath))),
            Program = program,
        };
    }
}
