using Xunit.Abstractions;

namespace IoBench.Module.Tests;

/// <summary>Every other Pester file, from the first.</summary>
public sealed class EvenPesterTests(ITestOutputHelper output) : PesterTests(output)
{
    public static TheoryData<string> Files() => FilesFrom(0);

    [PesterTheory]
    [MemberData(nameof(Files))]
    public void Passes(string file) => Pass(file);
}
