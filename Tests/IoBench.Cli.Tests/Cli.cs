using System.Diagnostics;
using IoBench.Tests;

namespace IoBench.Cli.Tests;

/// <summary>Runs the program: in this process with streams of its own, or really, as a process.</summary>
internal static class Cli
{
    /// <summary>The program as it was built beside the tests.</summary>
    public static string Program { get; } = Path.Combine(AppContext.BaseDirectory, "iobench.dll");

    /// <summary>In this process.</summary>
    public static CliOutcome Run(params string[] args)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        using var console = new CliConsole(output, error, errorIsTerminal: false, canAsk: false);
        var exitCode = App.Run(args, console);
        return new CliOutcome(exitCode, output.ToString(), error.ToString());
    }

    /// <summary>As a process.</summary>
    public static CliOutcome Execute(string folder, params string[] args)
    {
        using var process = Start(folder, args);
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return new CliOutcome(process.ExitCode, output, error.Result);
    }

    /// <summary>Starts it as a process and leaves it running.</summary>
    public static Process Start(string folder, params string[] args)
        => Process.Start(new ProcessStartInfo("dotnet", [Program, .. args])
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        })!;
}

/// <summary>What the program said, and how it ended.</summary>
internal sealed record CliOutcome(int ExitCode, string Output, string Error)
{
    /// <summary>The lines of standard error.</summary>
    public string[] ErrorLines => Error.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    /// <summary>The lines of standard output.</summary>
    public string[] OutputLines => Output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
}

/// <summary>A folder of a test's own on a real disk (a temporary folder may be in memory), removed afterwards.</summary>
internal sealed class TestFolder : IDisposable
{
    public TestFolder() => Directory.CreateDirectory(Path);

    public string Path { get; } = System.IO.Path.Combine(Samples.Root, "artifacts", "cli-tests", Guid.NewGuid().ToString("N"));

    public string File(string name) => System.IO.Path.Combine(Path, name);

    public string Write(string name, string content)
    {
        System.IO.File.WriteAllText(File(name), content);
        return File(name);
    }

    /// <summary>Names and sizes of all that is in it: what a refused command must not change.</summary>
    public string[] Listing() => [.. new DirectoryInfo(Path).EnumerateFileSystemInfos("*", SearchOption.AllDirectories)
        .Select(f => $"{f.Name} {(f as FileInfo)?.Length} {f.LastWriteTimeUtc:O}").Order(StringComparer.Ordinal)];

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
