using System.Runtime.CompilerServices;
using IoBench.Application;

namespace IoBench.Cli.Tests;

/// <summary>
/// Turns off the journal for all tests and the processes that they start, so that the journal of the current user stays unchanged.
/// </summary>
internal static class TestProcessSetup
{
    [ModuleInitializer]
    internal static void Initialize()
    {
        Environment.SetEnvironmentVariable(JournalFolder.Variable, "off");
        // A .NET program that is killed leaves the socket of its diagnostics in the temporary folder.
        Environment.SetEnvironmentVariable("DOTNET_EnableDiagnostics", "0");
    }
}
