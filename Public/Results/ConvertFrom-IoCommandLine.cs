using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Tests from command lines of sqlio, diskspd and fio, batch files, DiskSpd XML profiles, and job files of fio.</summary>
[Cmdlet(
    VerbsData.ConvertFrom,
    "IoCommandLine",
    DefaultParameterSetName = "CommandLine",
    HelpUri = HelpPages.Root + "ConvertFrom-IoCommandLine"
)]
[OutputType(typeof(IoTestSpecification))]
public sealed class ConvertFromIoCommandLineCommand : IoCmdlet
{
    private readonly List<string> _lines = [];

    /// <summary>Command lines of sqlio, diskspd or fio.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "CommandLine", ValueFromPipeline = true)]
    [AllowEmptyString]
    public string[]? CommandLine { get; set; }

    /// <summary>Batch files, files of command lines, DiskSpd XML profiles.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Path", ValueFromPipelineByPropertyName = true)]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    /// <summary>The same, without wildcards.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath", ValueFromPipelineByPropertyName = true)]
    [Alias("PSPath", "FullName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>What the batch file is called with: its %1, %2 and so on.</summary>
    [Parameter]
    public string[]? ArgumentList { get; set; }

    /// <inheritdoc/>
    protected override void Process()
    {
        if (ParameterSetName == "CommandLine")
        {
            _lines.AddRange(CommandLine!);
            return;
        }
        // What came before a file comes before its tests.
        WriteLines();
        foreach (
            var file in InputPaths.Resolve(SessionState, Path, LiteralPath, allowMissing: false, (error, name) => WriteProblem(error, name))
        )
            Write(file, () => CommandLineReader.ReadFile(file, ArgumentList));
    }

    /// <inheritdoc/>
    protected override void End() => WriteLines();

    /// <summary>Together, as a batch file is: lines set variables for the next, or go on in it.</summary>
    private void WriteLines()
    {
        if (_lines.Count == 0)
            return;
        var lines = string.Join('\n', _lines);
        _lines.Clear();
        Write(null, () => CommandLineReader.Read(lines, SessionState.Path.CurrentFileSystemLocation.ProviderPath, ArgumentList));
    }

    private void Write(string? source, Func<CommandLineTests> read)
    {
        CommandLineTests? tests = null;
        if (!Try(source, () => tests = read()))
            return;
        foreach (var note in tests!.Notes)
            WriteWarning(note);
        foreach (var refused in tests.Refused)
            WriteProblem(refused, source);
        foreach (var test in tests.Specifications)
            WriteObject(TestSources.MakeFull(test, GivenOptions.Context(SessionState)));
    }
}
