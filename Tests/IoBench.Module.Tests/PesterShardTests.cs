namespace IoBench.Module.Tests;

/// <summary>
/// The module's own tests are Pester's; <c>dotnet test</c> has a result for each. Two classes have a pwsh each: most of a test's time is
/// waiting, and xunit
/// runs two classes at the same time.
/// </summary>
public abstract class PesterTests(PesterHost host) : IClassFixture<PesterHost>
{
    /// <summary>The pwsh of the class; <see cref="PesterTestCase"/> takes it from the constructor's arguments.</summary>
    public PesterHost Host { get; } = host;
}

public sealed class PesterShard1Tests(PesterHost host) : PesterTests(host)
{
    [PesterFiles(1)]
    public void Pester(string file) => _ = file;
}

public sealed class PesterShard2Tests(PesterHost host) : PesterTests(host)
{
    [PesterFiles(2)]
    public void Pester(string file) => _ = file;
}
