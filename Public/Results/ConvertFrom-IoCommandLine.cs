using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>Converts command lines of sqlio, diskspd, and fio, batch files, DiskSpd XML profiles, and fio job files to tests.</summary>
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

    /// <summary>Command lines of sqlio, diskspd, or fio.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "CommandLine", ValueFromPipeline = true)]
    [AllowEmptyString]
    public string[]? CommandLine { get; set; }

    /// <summary>Batch files, files of command lines, DiskSpd XML profiles, and fio job files.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Path", ValueFromPipelineByPropertyName = true)]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath", ValueFromPipelineByPropertyName = true)]
    [Alias("PSPath", "FullName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>Arguments of the batch file: its %1, %2, and so on.</summary>
    [Parameter]
    public string[]? ArgumentList { get; set; }

    protected override void Process()
    {
        if (ParameterSetName == "CommandLine")
        {
            _lines.AddRange(CommandLine!);
            return;
        }
        // Tests of earlier command lines are written before the tests of a file.
        ConvertLines();
        foreach (
            var file in PathResolver.ResolvePaths(
                SessionState,
                Path,
                LiteralPath,
                allowMissing: false,
                (error, name) => WriteNonTerminatingError(error, name)
            )
        )
            WriteTests(file, () => CommandLineReader.ReadFile(file, ArgumentList));
    }

    protected override void End() => ConvertLines();

    /// <summary>Converts all lines together, as in a batch file: a line can set variables for the next line, or continue on it.</summary>
    private void ConvertLines()
    {
        if (_lines.Count == 0)
            return;
        var lines = string.Join('\n', _lines);
        _lines.Clear();
        WriteTests(null, () => CommandLineReader.Read(lines, SessionState.Path.CurrentFileSystemLocation.ProviderPath, ArgumentList));
    }

    private void WriteTests(string? source, Func<CommandLineTests> read)
    {
        CommandLineTests? tests = null;
        if (!TryProcess(source, () => tests = read()))
            return;
        foreach (var note in tests!.Notes)
            WriteWarning(note);
        foreach (var refused in tests.Refused)
            WriteNonTerminatingError(refused, source);
        foreach (var test in tests.Specifications)
            WriteObject(LegacyToolTests.MakePathsAbsolute(test, PathResolver.CreatePathResolver(SessionState)));
    }
}
