using Xunit.Abstractions;

namespace IoBench.Module.Tests;

/// <summary>Every other Pester file, from the second.</summary>
public sealed class OddPesterTests(ITestOutputHelper output) : PesterTests(output)
{
    public static TheoryData<string> Files() => FilesFrom(1);

    [PesterTheory]
    [MemberData(nameof(Files))]
    public void Passes(string file) => Pass(file);
}
