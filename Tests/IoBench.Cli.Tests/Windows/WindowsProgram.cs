using System.Diagnostics;
using System.Text.Json;

namespace IoBench.Cli.Tests;

/// <summary>All tests of the Windows program share one Wine prefix and one build.</summary>
[CollectionDefinition(Name)]
public sealed class WindowsProgramTestGroup : ICollectionFixture<WindowsProgram>
{
    public const string Name = "Windows program";
}

/// <summary>The published Windows program, run by Wine. Its drive T: is a folder of the test.</summary>
public sealed class WindowsProgram : IDisposable
{
    private readonly string _program = "";

    public WindowsProgram()
    {
        Drive = Directory.CreateTempSubdirectory("iobench-drive-").FullName;
        if (ProgramFinder.FindOnPath("wine") is null)
            return;
        try
        {
            _program = Wine.Program;
            MapDrive('t', Drive);
        }
        catch
        {
            // xunit does not dispose of a fixture whose constructor fails.
            Dispose();
            throw;
        }
    }

    /// <summary>The Linux folder of drive T:.</summary>
    public string Drive { get; }

    public static void MapDrive(char letter, string folder) => Wine.MapDrive(letter, folder);

    public (int Code, string Output, string Error) Run(params string[] arguments)
    {
        var answer = Wine.Run("wine", [_program, .. arguments], TimeSpan.FromMinutes(3));
        Assert.True(answer.Code != Wine.TimeoutExitCode, "iobench.exe did not end.");
        return answer;
    }

    /// <summary>Runs iobench.exe and returns the trace of Wine: one line per file call.</summary>
    public string[] RunWithTrace(params string[] arguments)
    {
        var start = Wine.CreateStartInfo("wine", [_program, .. arguments]);
        start.Environment["WINEDEBUG"] = "+file";
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        var lines = process.StandardError.ReadToEnd().Split('\n');
        Assert.True(process.WaitForExit(TimeSpan.FromMinutes(3)), "iobench.exe did not end.");
        Assert.True(process.ExitCode == 0, output.Result);
        return lines;
    }

    /// <summary>Runs iobench.exe from cmd with another code page, as a batch file does.</summary>
    public (int Code, string Output, string Error) RunWithCodePage(int page, params string[] arguments) =>
        Wine.Run(
            "wine",
            ["cmd", "/c", $"chcp {page} >nul & {ToWinePath(_program)} {string.Join(' ', arguments)}"],
            TimeSpan.FromMinutes(3)
        );

    public JsonElement RunJson(params string[] arguments)
    {
        var (code, output, error) = Run(["run", .. arguments, "--format", "json"]);
        Assert.True(code == 0, error);
        return JsonDocument.Parse(output).RootElement[0];
    }

    /// <summary>Runs a batch file; its first argument is the path of iobench.exe.</summary>
    public (int Code, string Output, string Error) RunBatch(string file) =>
        Wine.Run("wine", ["cmd", "/c", file, ToWinePath(_program)], TimeSpan.FromMinutes(3));

    public Process StartProgram(params string[] arguments) => Process.Start(Wine.CreateStartInfo("wine", [_program, .. arguments]))!;

    public static Process StartOther(params string[] arguments) => Process.Start(Wine.CreateStartInfo("wine", arguments))!;

    /// <summary>
    /// Starts iobench.exe in a new console, which sends Ctrl+C when the file <paramref name="ready"/> exists (<see cref="StartupHook"/>).
    /// </summary>
    internal Process StartInConsole(string ready, params string[] arguments)
    {
        var start = Wine.CreateStartInfo("wine", [_program]);
        start.Environment["DOTNET_STARTUP_HOOKS"] = ToWinePath(typeof(StartupHook).Assembly.Location);
        start.Environment[StartupHook.CommandVariable] = $"{ToWinePath(_program)} {string.Join(' ', arguments)}";
        start.Environment[StartupHook.ReadyVariable] = ToWinePath(ready);
        return Process.Start(start)!;
    }

    private static string ToWinePath(string path) => "Z:" + path.Replace('/', '\\');

    public static void WaitUntilOpen(string path)
    {
        for (var waited = Stopwatch.StartNew(); !Directory.EnumerateDirectories("/proc").Any(HasOpen); Thread.Sleep(50))
            Assert.True(waited.Elapsed < TimeSpan.FromMinutes(2), $"No program opened {path}.");

        bool HasOpen(string process)
        {
            try
            {
                return Directory.Exists(Path.Combine(process, "fd"))
                    && new DirectoryInfo(Path.Combine(process, "fd")).EnumerateFiles().Any(f => f.LinkTarget == path);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // The process has ended in the meantime, or belongs to another user.
                return false;
            }
        }
    }

    public void Dispose()
    {
        // If all tests run the program by Wine, others may still use the prefix.
        if (_program.Length > 0 && !TestedProgram.UsesWine)
            Wine.End();
        Directory.Delete(Drive, recursive: true);
    }
}
