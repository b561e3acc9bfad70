using System.Diagnostics;
using System.Text.Json;

namespace IoBench.Cli.Tests;

/// <summary>All tests of the Windows program: one prefix and one build serve them.</summary>
[CollectionDefinition(Name)]
public sealed class WindowsProgramGroup : ICollectionFixture<WindowsProgram>
{
    public const string Name = "Windows program";
}

/// <summary>The program as it is published for Windows, run by Wine with a prefix of its own; its drive T: is a folder of the test.</summary>
public sealed class WindowsProgram : IDisposable
{
    private readonly string _prefix = Directory.CreateTempSubdirectory("iobench-wine-").FullName;
    private readonly string _program;

    public WindowsProgram()
    {
        Drive = Directory.CreateTempSubdirectory("iobench-drive-").FullName;
        _program = "";
        if (Tool.Find("wine") is null)
            return;
        try
        {
            _program = SetUp();
        }
        catch
        {
            // A fixture whose constructor fails is not disposed of.
            Dispose();
            throw;
        }
    }

    private string SetUp()
    {
        // A folder of its own for what the build writes: a build for another framework must not disturb the tests' own.
        var artifacts = Path.Combine(Samples.Root, "artifacts", "windows");
        var output = Path.Combine(artifacts, "iobench");
        var (code, text, errors) = Start("dotnet", ["publish", Path.Combine(Samples.Root, "src", "IoBench.Cli"), "-c", "Release", "-r", "win-x64", "--self-contained",
            "-p:IoBenchFramework=net10.0", "-p:ArtifactsPath=" + artifacts, "-o", output, "-v", "quiet", "-nodeReuse:false"], TimeSpan.FromMinutes(8));
        Assert.True(code == 0, text + errors);
        // Twice: the first makes the prefix, and may stop before it has told the version.
        _ = Start("wine", ["winecfg", "-v", "win10"], TimeSpan.FromMinutes(2));
        _ = Start("wine", ["winecfg", "-v", "win10"], TimeSpan.FromMinutes(2));
        MapDrive('t', Drive);
        return Path.Combine(output, "iobench.exe");
    }

    /// <summary>The folder that is T:.</summary>
    public string Drive { get; }

    public void MapDrive(char letter, string folder)
    {
        var link = Path.Combine(_prefix, "dosdevices", letter + ":");
        File.Delete(link);
        File.CreateSymbolicLink(link, folder);
    }

    /// <summary>Runs iobench.exe; its exit code and what it said.</summary>
    public (int Code, string Output, string Error) Run(params string[] arguments)
    {
        using var process = Process.Start(Prepare("wine", [_program, .. arguments]))!;
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        Assert.True(process.WaitForExit(TimeSpan.FromMinutes(3)), "iobench.exe did not end.");
        return (process.ExitCode, output, error.Result);
    }

    /// <summary>Runs iobench.exe and gives what Wine traces meanwhile: one line per call of its files.</summary>
    public string[] Trace(params string[] arguments)
    {
        var start = Prepare("wine", [_program, .. arguments]);
        start.Environment["WINEDEBUG"] = "+file";
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        var lines = process.StandardError.ReadToEnd().Split('\n');
        Assert.True(process.WaitForExit(TimeSpan.FromMinutes(3)), "iobench.exe did not end.");
        Assert.True(process.ExitCode == 0, output.Result);
        return lines;
    }

    /// <summary>Runs iobench.exe by cmd, as a batch file does, whose code page is another.</summary>
    public (int Code, string Output, string Error) RunWithCodePage(int page, params string[] arguments)
        => Start("wine", ["cmd", "/c", $"chcp {page} >nul & Z:{_program.Replace('/', '\\')} {string.Join(' ', arguments)}"], TimeSpan.FromMinutes(3));

    /// <summary>Runs a test with a JSON result and gives that.</summary>
    public JsonElement RunJson(params string[] arguments)
    {
        var (code, output, error) = Run(["run", .. arguments, "--format", "json"]);
        Assert.True(code == 0, error);
        return JsonDocument.Parse(output).RootElement[0];
    }

    /// <summary>Starts another Windows program in the same prefix.</summary>
    public Process StartOther(params string[] arguments) => Process.Start(Prepare("wine", arguments))!;

    /// <summary>Waits until a program has a file open.</summary>
    public static void AwaitOpen(string path)
    {
        for (var waited = Stopwatch.StartNew(); !Directory.EnumerateDirectories("/proc").Any(HasOpen); Thread.Sleep(50))
            Assert.True(waited.Elapsed < TimeSpan.FromMinutes(2), $"No program opened {path}.");

        bool HasOpen(string process)
        {
            try
            {
                return Directory.Exists(Path.Combine(process, "fd")) && new DirectoryInfo(Path.Combine(process, "fd")).EnumerateFiles().Any(f => f.LinkTarget == path);
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
        if (Directory.Exists(Path.Combine(_prefix, "dosdevices")))
            _ = Start("wineserver", ["-k"], TimeSpan.FromSeconds(20));
        Directory.Delete(Drive, recursive: true);
        Directory.Delete(_prefix, recursive: true);
    }

    private (int Code, string Output, string Error) Start(string program, string[] arguments, TimeSpan patience)
    {
        if (program == "wineserver" && Tool.Find(program) is null)
            program = Directory.EnumerateFiles("/usr/lib/wine", "wineserver*").FirstOrDefault() ?? "wine";
        using var process = Process.Start(Prepare(program, arguments))!;
        var error = process.StandardError.ReadToEndAsync();
        var text = process.StandardOutput.ReadToEnd();
        process.WaitForExit(patience);
        return (process.HasExited ? process.ExitCode : -1, text, error.Result);
    }

    private ProcessStartInfo Prepare(string program, IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true, RedirectStandardInput = true };
        start.Environment["WINEPREFIX"] = _prefix;
        start.Environment["WINEDEBUG"] = "-all";
        start.Environment["WINEDLLOVERRIDES"] = "winedbg.exe=d";
        return start;
    }
}
