using System.Diagnostics;

namespace IoBench.Cli.Tests;

/// <summary>Runs the program: in this process with streams of its own, or really, as a process.</summary>
internal static class Cli
{
    /// <summary>The program as one file that starts: its own host beside the tests, or the other build (<see cref="TestedProgram"/>).</summary>
    public static string Program { get; } =
        TestedProgram.OtherPath
        ?? (
            TestedProgram.IsByWine
                ? Wine.Program
                : Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "iobench.exe" : "iobench")
        );

    /// <summary>The program and what starts it.</summary>
    public static string[] Command { get; } =
        TestedProgram.IsByWine ? [Wine.Starter(), Program]
        : TestedProgram.IsOther ? [Program]
        : ["dotnet", Path.Combine(AppContext.BaseDirectory, "iobench.dll")];

    /// <summary>The same for a shell.</summary>
    public static string ShellCommand { get; } = string.Join(' ', Command.Select(word => $"'{word}'"));

    /// <summary>In this process, unless another build is tested.</summary>
    public static CliOutcome Run(params string[] args)
    {
        if (TestedProgram.IsOther)
            return Execute(Environment.CurrentDirectory, args);
        using var output = new StringWriter();
        using var error = new StringWriter();
        using var console = new CliConsole(output, error, errorIsTerminal: false, canAsk: false);
        var exitCode = App.Run(args, console);
        return new CliOutcome(exitCode, output.ToString(), error.ToString());
    }

    /// <summary>As a process.</summary>
    public static CliOutcome Execute(string folder, params string[] args) =>
        TestedProgram.IsByWine
            ? Wine.UntilItStarts(() => Outcome(Start(folder, args)), outcome => (outcome.ExitCode, outcome.Output, outcome.Error))
            : Outcome(Start(folder, args));

    /// <summary>As a process that another program starts.</summary>
    public static CliOutcome ExecuteBy(string starter, string[] starterArgs, string folder, params string[] args) =>
        Outcome(Process.Start(Prepare(folder, starter, [.. starterArgs, .. Command, .. args]))!);

    private static CliOutcome Outcome(Process started)
    {
        using var process = started;
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return new CliOutcome(process.ExitCode, output, error.Result);
    }

    /// <summary>Starts it as a process and leaves it running.</summary>
    public static Process Start(string folder, params string[] args) =>
        Process.Start(Prepare(folder, Command[0], [.. Command[1..], .. args]))!;

    /// <summary>As a process on a terminal of its own, by <c>script</c>; words may have no blanks.</summary>
    public static Process StartOnTerminal(string folder, params string[] args) =>
        Process.Start(Prepare(folder, "script", ["-qec", $"{ShellCommand} {string.Join(' ', args)}", "/dev/null"]))!;

    /// <summary>The next line of a process, with paths as they are here; null at its end. What Wine itself says is no line.</summary>
    public static string? ReadLine(StreamReader said)
    {
        while (said.ReadLine() is { } line)
            if (!TestedProgram.IsByWine)
                return line;
            else if (Wine.AsHere(line + "\n") is { Length: > 0 } own)
                return own.TrimEnd('\n');
        return null;
    }

    private static ProcessStartInfo Prepare(string folder, string program, IEnumerable<string> args)
    {
        InterruptSignal.Hear();
        return new(program, args)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
    }
}

/// <summary>What the program said, and how it ended.</summary>
internal sealed record CliOutcome(int ExitCode, string Output, string Error)
{
    /// <summary>Standard output; of Windows' program with lines and paths as they are here.</summary>
    public string Output { get; } = TestedProgram.IsByWine ? Wine.AsHere(Output) : Output;

    /// <summary>Standard error, likewise.</summary>
    public string Error { get; } = TestedProgram.IsByWine ? Wine.AsHere(Error) : Error;

    /// <summary>A text of an old tool, whose lines end as on Windows everywhere, as <see cref="Output"/> has it.</summary>
    public static string OfOldTool(string text) => TestedProgram.IsByWine ? Wine.AsHere(text) : text;

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
    public string[] Listing() =>
        [
            .. new DirectoryInfo(Path)
                .EnumerateFileSystemInfos("*", SearchOption.AllDirectories)
                .Select(f => $"{f.Name} {(f as FileInfo)?.Length} {f.LastWriteTimeUtc:O}")
                .Order(StringComparer.Ordinal),
        ];

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
