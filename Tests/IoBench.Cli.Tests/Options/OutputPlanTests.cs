using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli.Tests;

public sealed class OutputPlanTests : IDisposable
{
    private readonly CliConsole _console = new(TextWriter.Null, TextWriter.Null, errorIsTerminal: false, canAsk: false);

    public void Dispose() => _console.Dispose();

    [InProcessFact]
    public void Date_and_time_in_a_name_are_filled_in() =>
        Assert.Equal("/io/2026-02-03-040506.json", OutputName.FillIn("/io/{date}-{TIME}.json", new DateTime(2026, 2, 3, 4, 5, 6)));

    [InProcessFact]
    public void An_existing_file_needs_force_or_resume()
    {
        using var folder = new TestFolder();
        var path = folder.Write("r.json", "[]");
        Assert.Equal(
            "IoBench.FileExists",
            Assert.Throws<IoBenchException>(() => new OutputPlan { OutputPath = path }.Open(_console)).ErrorId
        );
        new OutputPlan { OutputPath = path, Force = true }
            .Open(_console)
            .Dispose();
        new OutputPlan { OutputPath = path, Resume = true }
            .Open(_console)
            .Dispose();
        Assert.Equal("[]", File.ReadAllText(path));
        Assert.Single(folder.Listing());
    }

    [InProcessFact]
    public void A_missing_folder_and_a_folder_are_errors()
    {
        using var folder = new TestFolder();
        Assert.Contains(
            "Make it first.",
            Assert.Throws<IoBenchException>(() => new OutputPlan { ReportPath = folder.File("no/r.xlsx") }.Open(_console)).Message
        );
        Assert.Contains(
            "is a folder",
            Assert.Throws<IoBenchException>(() => new OutputPlan { OutputPath = folder.Path }.Open(_console)).Message
        );
        Assert.Contains(
            "both",
            Assert
                .Throws<IoBenchException>(() =>
                    new OutputPlan { OutputPath = folder.File("r.html"), ReportPath = folder.File("r.html") }.Open(_console)
                )
                .Message
        );
        Assert.Empty(folder.Listing());
    }

    [InProcessLinuxFact]
    public void A_place_where_nothing_can_be_written_is_an_error()
    {
        // /proc refuses new files even from root.
        var error = Assert.Throws<IoBenchException>(() => new OutputPlan { ReportPath = "/proc/r.xlsx" }.Open(_console));
        Assert.Equal("IoBench.NotWritable", error.ErrorId);
        Assert.Equal(2, error.ExitCode);
    }
}
