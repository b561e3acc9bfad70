using IoBench.Cli.Options;
using IoBench.Engine;

namespace IoBench.Cli.Tests.Options;

public class OutputPlanTests
{
    [Fact]
    public void DateAndTimeInANameAreFilledIn()
        => Assert.Equal("/io/2026-02-03-040506.json", OutputPlan.FillIn("/io/{date}-{TIME}.json", new DateTime(2026, 2, 3, 4, 5, 6)));

    [Fact]
    public void AnExistingFileNeedsForceOrResume()
    {
        using var folder = new TestFolder();
        var path = folder.Write("r.json", "[]");
        Assert.Equal("IoBench.FileExists", Assert.Throws<IoBenchException>(() => new OutputPlan { OutputPath = path }.CheckPaths()).ErrorId);
        new OutputPlan { OutputPath = path, Force = true }.CheckPaths();
        new OutputPlan { OutputPath = path, Resume = true }.CheckPaths();
        Assert.Equal("[]", File.ReadAllText(path));
        Assert.Single(folder.Listing());
    }

    [Fact]
    public void AMissingFolderAndAFolderAreErrors()
    {
        using var folder = new TestFolder();
        Assert.Contains("Make it first.", Assert.Throws<IoBenchException>(() => new OutputPlan { ReportPath = folder.File("no/r.xlsx") }.CheckPaths()).Message);
        Assert.Contains("is a folder", Assert.Throws<IoBenchException>(() => new OutputPlan { OutputPath = folder.Path }.CheckPaths()).Message);
        Assert.Contains("both", Assert.Throws<IoBenchException>(() => new OutputPlan { OutputPath = folder.File("r.html"), ReportPath = folder.File("r.html") }.CheckPaths()).Message);
        Assert.Empty(folder.Listing());
    }

    [Fact]
    public void APlaceWhereNothingCanBeWrittenIsAnError()
    {
        // /proc refuses new files even to root.
        if (!OperatingSystem.IsLinux())
            return;
        var error = Assert.Throws<IoBenchException>(() => new OutputPlan { ReportPath = "/proc/r.xlsx" }.CheckPaths());
        Assert.Equal("IoBench.NotWritable", error.ErrorId);
        Assert.Equal(2, error.ExitCode);
    }
}
