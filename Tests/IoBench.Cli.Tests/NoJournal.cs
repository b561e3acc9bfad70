using System.Runtime.CompilerServices;

namespace IoBench.Cli.Tests;

/// <summary>Tests leave the journal of whoever runs them alone, those of the program as a process too; what is about the journal has one of its own.</summary>
internal static class NoJournal
{
    [ModuleInitializer]
    internal static void TurnOff()
    {
        Environment.SetEnvironmentVariable(JournalFolder.Variable, "off");
        // A .NET program that is killed leaves the socket of its diagnostics in the temporary folder.
        Environment.SetEnvironmentVariable("DOTNET_EnableDiagnostics", "0");
    }
}
