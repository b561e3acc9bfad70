using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli.Tests;

public sealed class OutputTargetsTests : IDisposable
{
    private readonly CliConsole _console = new(TextWriter.Null, TextWriter.Null, errorIsTerminal: false, canAsk: false);

    public void Dispose() => _console.Dispose();

    [InProcessFact]
    public void Date_and_time_placeholders_are_replaced() =>
        Assert.Equal(
            "/io/2026-02-03-040506.json",
            RunOutputs.ReplacePlaceholders("/io/{date}-{TIME}.json", new DateTime(2026, 2, 3, 4, 5, 6))
        );

    [InProcessFact]
    public void Existing_output_requires_force_or_resume()
    {
        using var folder = new TestFolder();
        var path = folder.WriteFile("r.json", "[]");
        Assert.Equal(
            "IoBench.FileExists",
            Assert.Throws<IoBenchException>(() => new OutputDestinations { OutputPath = path }.OpenFiles(_console)).ErrorId
        );
        new OutputDestinations { OutputPath = path, Force = true }
            .OpenFiles(_console)
            .Dispose();
        new OutputDestinations { OutputPath = path, Resume = true }
            .OpenFiles(_console)
            .Dispose();
        Assert.Equal("[]", File.ReadAllText(path));
        Assert.Single(folder.ListContents());
    }

    [InProcessFact]
    public void Missing_folder_folder_path_and_equal_paths_are_errors()
    {
        using var folder = new TestFolder();
        Assert.Contains(
            "Create the folder first",
            Assert
                .Throws<IoBenchException>(() => new OutputDestinations { ReportPath = folder.GetPath("no/r.xlsx") }.OpenFiles(_console))
                .Message
        );
        Assert.Contains(
            "is a folder",
            Assert.Throws<IoBenchException>(() => new OutputDestinations { OutputPath = folder.Path }.OpenFiles(_console)).Message
        );
        Assert.Contains(
            "both",
            Assert
                .Throws<IoBenchException>(() =>
                    new OutputDestinations { OutputPath = folder.GetPath("r.html"), ReportPath = folder.GetPath("r.html") }.OpenFiles(
                        _console
                    )
                )
                .Message
        );
        Assert.Empty(folder.ListContents());
    }

    [InProcessLinuxFact]
    public void Unwritable_folder_is_an_error()
    {
        // /proc refuses new files even from root.
        var error = Assert.Throws<IoBenchException>(() => new OutputDestinations { ReportPath = "/proc/r.xlsx" }.OpenFiles(_console));
        Assert.Equal("IoBench.NotWritable", error.ErrorId);
        Assert.Equal(2, error.ExitCode);
    }
}
