using Xunit.Abstractions;

namespace IoBench.Module.Tests;

/// <summary>The module's own tests are Pester's; each of its files is a case here, so that <c>dotnet test</c> runs all there is.</summary>
public sealed class PesterTests(ITestOutputHelper output)
{
    /// <summary>Names of the files in Tests/Module.</summary>
    public static TheoryData<string> Files()
    {
        var files = Directory.GetFiles(PesterRun.Folder, "*.Tests.ps1").Select(f => Path.GetFileName(f)).Order(StringComparer.Ordinal);
        return new TheoryData<string>(files);
    }

    [PesterTheory]
    [MemberData(nameof(Files))]
    public void Passes(string file)
    {
        var run = PesterRun.Start(file);
        output.WriteLine(run.Output);
        Assert.True(run.ExitCode == 0, $"{file} failed:\n{run.Output}");
    }
}
