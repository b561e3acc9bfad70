using System.Diagnostics;
using System.Reflection;

namespace IoBench.Module.Tests;

/// <summary>The pwsh that the tests start: the one of the project's tool manifest, or the one that the environment names.</summary>
internal static class TestPowerShell
{
    /// <summary>Names another pwsh: a path, or <c>pwsh</c> for the one on the PATH.</summary>
    public const string Variable = "IOBENCH_TEST_PWSH";

    private static readonly (string Variable, string Folder)[] s_places =
    [
        ("TMPDIR", "tmp"),
        ("TEMP", "tmp"),
        ("TMP", "tmp"),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_DATA_HOME", "data"),
        ("XDG_STATE_HOME", "state"),
    ];

    /// <summary>The module manifest of Pester.</summary>
    public static string Pester { get; } = Metadata("Pester");

    /// <summary>The program; null if the tests cannot run.</summary>
    public static string? Path { get; } = Find();

    /// <summary>Reason why the tests cannot run; null if they can.</summary>
    public static string? WhatIsMissing { get; } =
        Path is null ? $"needs PowerShell, which {Environment.GetEnvironmentVariable(Variable) ?? "NuGet"} does not have"
        : !File.Exists(Pester) ? "needs Pester, which NuGet does not have"
        : null;

    /// <summary>
    /// How to start pwsh without a profile; its own children find the same pwsh, and its files for the user and temporary files are in a
    /// folder.
    /// </summary>
    public static ProcessStartInfo StartInfo(string folder, params string[] arguments)
    {
        var path = Path ?? throw new InvalidOperationException(WhatIsMissing);
        var start = new ProcessStartInfo(path, ["-NoProfile", "-NonInteractive", .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = SampleFiles.RepositoryRoot,
        };
        var environment = start.Environment;
        environment["NO_COLOR"] = "1";
        environment["PATH"] =
            System.IO.Path.GetDirectoryName(path) + System.IO.Path.PathSeparator + Environment.GetEnvironmentVariable("PATH");
        foreach (var (name, place) in s_places)
            environment[name] = Directory.CreateDirectory(System.IO.Path.Combine(folder, place)).FullName;
        // Modules of the user stay where they are: tests with ImportExcel or PSScriptAnalyzer run if they are installed.
        if (!OperatingSystem.IsWindows())
        {
            var local = Environment.GetFolderPath(
                Environment.SpecialFolder.LocalApplicationData,
                Environment.SpecialFolderOption.DoNotVerify
            );
            var modules = System.IO.Path.Combine(local, "powershell", "Modules");
            environment["PSModulePath"] = Environment.GetEnvironmentVariable("PSModulePath") is { Length: > 0 } others
                ? $"{others}:{modules}"
                : modules;
        }
        environment["IOBENCH_TEST_BIN"] = Metadata("Program");
        environment["POWERSHELL_TELEMETRY_OPTOUT"] = "1";
        environment["POWERSHELL_UPDATECHECK"] = "Off";
        // The program of the package looks for .NET where it is usually installed; the tests run on the one that started them.
        environment.TryAdd(
            "DOTNET_ROOT",
            System.IO.Path.GetFullPath(
                System.IO.Path.Combine(System.Runtime.InteropServices.RuntimeEnvironment.GetRuntimeDirectory(), "../../..")
            )
        );
        return start;
    }

    /// <summary>Runs pwsh to its end.</summary>
    public static (int ExitCode, string Output) Run(string folder, params string[] arguments)
    {
        using var process = Process.Start(StartInfo(folder, arguments))!;
        process.StandardInput.Close();
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, output + error.Result);
    }

    private static string? Find()
    {
        var path = Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } named ? named : Metadata("PowerShell");
        if (!path.Contains('/', StringComparison.Ordinal) && !path.Contains('\\', StringComparison.Ordinal))
            return ProgramFinder.FindOnPath(path) ?? ProgramFinder.FindOnPath(path + ".exe");
        return File.Exists(path) ? System.IO.Path.GetFullPath(path) : null;
    }

    private static string Metadata(string key) =>
        typeof(TestPowerShell).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().First(data => data.Key == key).Value!;
}

/// <summary>A fact that needs pwsh, and is reported as skipped, with the reason, if pwsh is missing.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PowerShellFactAttribute : FactAttribute
{
    public PowerShellFactAttribute() => Skip = TestPowerShell.WhatIsMissing;
}
