using System.Diagnostics;

namespace IoBench.Cli.Tests;

internal static class Cli
{
    /// <summary>The executable next to the tests, or the other build under test (<see cref="TestedProgram"/>).</summary>
    public static string ProgramPath { get; } =
        TestedProgram.OtherPath
        ?? (
            TestedProgram.UsesWine
                ? Wine.Program
                : Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "iobench.exe" : "iobench")
        );

    public static string[] Command { get; } =
        TestedProgram.UsesWine ? [Wine.UsePrefixAndGetCommand(), ProgramPath]
        : TestedProgram.IsOtherBuild ? [ProgramPath]
        : ["dotnet", Path.Combine(AppContext.BaseDirectory, "iobench.dll")];

    public static string ShellCommand { get; } = string.Join(' ', Command.Select(word => $"'{word}'"));

    /// <summary>Runs the program in this process, or as a process if another build is tested.</summary>
    public static CliOutcome Run(params string[] args)
    {
        if (TestedProgram.IsOtherBuild)
            return RunProcess(Environment.CurrentDirectory, args);
        using var output = new StringWriter();
        using var error = new StringWriter();
        using var console = new CliConsole(output, error, errorIsTerminal: false, canAsk: false);
        var exitCode = App.Run(args, console);
        return new CliOutcome(exitCode, output.ToString(), error.ToString());
    }

    /// <summary>Runs the program as a process.</summary>
    public static CliOutcome RunProcess(string folder, params string[] args) =>
        TestedProgram.UsesWine
            ? Wine.RetryUntilStarted(
                () => WaitForOutcome(StartProcess(folder, args)),
                outcome => (outcome.ExitCode, outcome.Output, outcome.Error)
            )
            : WaitForOutcome(StartProcess(folder, args));

    public static CliOutcome RunProcessWith(string starter, string[] starterArgs, string folder, params string[] args) =>
        WaitForOutcome(Process.Start(CreateStartInfo(folder, starter, [.. starterArgs, .. Command, .. args]))!);

    private static CliOutcome WaitForOutcome(Process started)
    {
        using var process = started;
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return new CliOutcome(process.ExitCode, output, error.Result);
    }

    public static Process StartProcess(string folder, params string[] args) =>
        Process.Start(CreateStartInfo(folder, Command[0], [.. Command[1..], .. args]))!;

    /// <summary>Starts the program on a new terminal with <c>script</c>. Arguments must not contain spaces.</summary>
    public static Process StartOnTerminal(string folder, params string[] args) =>
        Process.Start(CreateStartInfo(folder, "script", ["-qec", $"{ShellCommand} {string.Join(' ', args)}", "/dev/null"]))!;

    /// <summary>The next line, with native paths and without the lines of Wine itself; null at the end.</summary>
    public static string? ReadLine(StreamReader said)
    {
        while (said.ReadLine() is { } line)
            if (!TestedProgram.UsesWine)
                return line;
            else if (Wine.NormalizeOutput(line + "\n") is { Length: > 0 } own)
                return own.TrimEnd('\n');
        return null;
    }

    private static ProcessStartInfo CreateStartInfo(string folder, string program, IEnumerable<string> args)
    {
        InterruptSignal.RestoreDefault();
        return new(program, args)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
    }
}

internal sealed record CliOutcome(int ExitCode, string Output, string Error)
{
    /// <summary>Standard output; for the Windows program with native line ends and paths.</summary>
    public string Output { get; } = TestedProgram.UsesWine ? Wine.NormalizeOutput(Output) : Output;

    /// <summary>Standard error; for the Windows program with native line ends and paths.</summary>
    public string Error { get; } = TestedProgram.UsesWine ? Wine.NormalizeOutput(Error) : Error;

    /// <summary>Output of a legacy tool has Windows line ends on every system. Converts them as <see cref="Output"/> does.</summary>
    public static string NormalizeLegacyText(string text) => TestedProgram.UsesWine ? Wine.NormalizeOutput(text) : text;

    public string[] ErrorLines => Error.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    public string[] OutputLines => Output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
}

/// <summary>A folder on a real disk (the temporary folder can be in memory), deleted after the test.</summary>
internal sealed class TestFolder : IDisposable
{
    public TestFolder() => Directory.CreateDirectory(Path);

    public string Path { get; } =
        System.IO.Path.Combine(SampleFiles.RepositoryRoot, "artifacts", "cli-tests", Guid.NewGuid().ToString("N"));

    public string GetPath(string name) => System.IO.Path.Combine(Path, name);

    public string WriteFile(string name, string content)
    {
        System.IO.File.WriteAllText(GetPath(name), content);
        return GetPath(name);
    }

    /// <summary>Names, sizes, and write times of all entries, to verify that a refused command changes nothing.</summary>
    public string[] ListContents() =>
        [
            .. new DirectoryInfo(Path)
                .EnumerateFileSystemInfos("*", SearchOption.AllDirectories)
                .Select(f => $"{f.Name} {(f as FileInfo)?.Length} {f.LastWriteTimeUtc:O}")
                .Order(StringComparer.Ordinal),
        ];

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
