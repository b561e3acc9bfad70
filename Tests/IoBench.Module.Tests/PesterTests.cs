using Xunit.Abstractions;

namespace IoBench.Module.Tests;

/// <summary>
/// The module's own tests are Pester's; each of its files is a case here, so that <c>dotnet test</c> runs all there is.
/// Two classes have every other file each: most of a file's time is waiting, and xunit runs two classes at once.
/// </summary>
public abstract class PesterTests(ITestOutputHelper output)
{
    /// <summary>Every other file of Tests/Module, from the first (0) or the second (1).</summary>
    protected static TheoryData<string> FilesFrom(int first)
    {
        var files = Directory.GetFiles(PesterRun.Folder, "*.Tests.ps1").Select(f => Path.GetFileName(f)).Order(StringComparer.Ordinal);
        return new TheoryData<string>(files.Where((_, number) => number % 2 == first));
    }

    protected void Pass(string file)
    {
        var run = PesterRun.Start(file);
        output.WriteLine(run.Output);
        Assert.True(run.ExitCode == 0, $"{file} failed:\n{run.Output}");
    }
}
