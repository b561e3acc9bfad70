using System.Diagnostics;
using System.Text.Json;

namespace IoBench.Cli.Tests;

/// <summary>All tests of the Windows program: one prefix and one build serve them.</summary>
[CollectionDefinition(Name)]
public sealed class WindowsProgramGroup : ICollectionFixture<WindowsProgram>
{
    public const string Name = "Windows program";
}

/// <summary>The program as it is published for Windows, run by Wine; its drive T: is a folder of the test.</summary>
public sealed class WindowsProgram : IDisposable
{
    private readonly string _program = "";

    public WindowsProgram()
    {
        Drive = Directory.CreateTempSubdirectory("iobench-drive-").FullName;
        if (Tool.Find("wine") is null)
            return;
        try
        {
            _program = Wine.Program;
            MapDrive('t', Drive);
        }
        catch
        {
            // A fixture whose constructor fails is not disposed of.
            Dispose();
            throw;
        }
    }

    /// <summary>The folder that is T:.</summary>
    public string Drive { get; }

    public static void MapDrive(char letter, string folder) => Wine.MapDrive(letter, folder);

    /// <summary>Runs iobench.exe; its exit code and what it said.</summary>
    public (int Code, string Output, string Error) Run(params string[] arguments)
    {
        var answer = Wine.Run("wine", [_program, .. arguments], TimeSpan.FromMinutes(3));
        Assert.True(answer.Code != Wine.NoEnd, "iobench.exe did not end.");
        return answer;
    }

    /// <summary>Runs iobench.exe and gives what Wine traces meanwhile: one line per call of its files.</summary>
    public string[] Trace(params string[] arguments)
    {
        var start = Wine.Prepare("wine", [_program, .. arguments]);
        start.Environment["WINEDEBUG"] = "+file";
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        var lines = process.StandardError.ReadToEnd().Split('\n');
        Assert.True(process.WaitForExit(TimeSpan.FromMinutes(3)), "iobench.exe did not end.");
        Assert.True(process.ExitCode == 0, output.Result);
        return lines;
    }

    /// <summary>Runs iobench.exe by cmd, as a batch file does, whose code page is another.</summary>
    public (int Code, string Output, string Error) RunWithCodePage(int page, params string[] arguments) =>
        Wine.Run("wine", ["cmd", "/c", $"chcp {page} >nul & {Windows(_program)} {string.Join(' ', arguments)}"], TimeSpan.FromMinutes(3));

    /// <summary>Runs a test with a JSON result and gives that.</summary>
    public JsonElement RunJson(params string[] arguments)
    {
        var (code, output, error) = Run(["run", .. arguments, "--format", "json"]);
        Assert.True(code == 0, error);
        return JsonDocument.Parse(output).RootElement[0];
    }

    /// <summary>Runs a batch file, whose first argument is iobench.exe.</summary>
    public (int Code, string Output, string Error) RunBatch(string file) =>
        Wine.Run("wine", ["cmd", "/c", file, Windows(_program)], TimeSpan.FromMinutes(3));

    /// <summary>Starts iobench.exe and leaves it running.</summary>
    public Process StartProgram(params string[] arguments) => Process.Start(Wine.Prepare("wine", [_program, .. arguments]))!;

    /// <summary>Starts another Windows program in the same prefix.</summary>
    public static Process StartOther(params string[] arguments) => Process.Start(Wine.Prepare("wine", arguments))!;

    /// <summary>Starts iobench.exe in a console of its own, which gets a Ctrl+C once a file is there (<see cref="StartupHook"/>).</summary>
    internal Process StartInConsole(string ready, params string[] arguments)
    {
        var start = Wine.Prepare("wine", [_program]);
        start.Environment["DOTNET_STARTUP_HOOKS"] = Windows(typeof(StartupHook).Assembly.Location);
        start.Environment[StartupHook.CommandVariable] = $"{Windows(_program)} {string.Join(' ', arguments)}";
        start.Environment[StartupHook.ReadyVariable] = Windows(ready);
        return Process.Start(start)!;
    }

    /// <summary>A path of this computer as Wine's programs see it.</summary>
    private static string Windows(string path) => "Z:" + path.Replace('/', '\\');

    /// <summary>Waits until a program has a file open.</summary>
    public static void AwaitOpen(string path)
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
                // It has ended meanwhile, or is another user's.
                return false;
            }
        }
    }

    public void Dispose()
    {
        // If all tests run the program by Wine, others may still use the prefix.
        if (_program.Length > 0 && !TestedProgram.IsByWine)
            Wine.End();
        Directory.Delete(Drive, recursive: true);
    }
}
