using System.Diagnostics;
using System.Text.RegularExpressions;

namespace IoBench.Cli.Tests;

/// <summary>The Windows program and its Wine. All tests share one build and one prefix, which are kept for the next test run.</summary>
internal static partial class Wine
{
    /// <summary>A separate folder for the build output: a build for another framework must not change the output of the tests.</summary>
    private static readonly string s_folder = Path.Combine(SampleFiles.RepositoryRoot, "artifacts", "windows");

    private static readonly Lazy<string> s_program = new(PublishProgram);
    private static readonly Lazy<string> s_prefix = new(CreatePrefix);

    /// <summary>The published, self-contained program, or the program that the environment names.</summary>
    public static string Program => s_program.Value;

    /// <summary>
    /// Returns the command that starts Windows programs, and sets the environment of this process so that child processes use the test
    /// prefix.
    /// </summary>
    public static string UsePrefixAndGetCommand()
    {
        foreach (var (name, value) in Settings)
            Environment.SetEnvironmentVariable(name, value);
        return "wine";
    }

    public static void MapDrive(char letter, string folder)
    {
        var link = Path.Combine(s_prefix.Value, "dosdevices", letter + ":");
        File.Delete(link);
        File.CreateSymbolicLink(link, folder);
    }

    /// <summary>Prepares a tool of Wine, or <c>wine</c> with a Windows program, in the test prefix.</summary>
    public static ProcessStartInfo CreateStartInfo(string program, IEnumerable<string> arguments) =>
        CreateStartInfo(program, arguments, Settings);

    /// <summary>Ends what Wine left running in the tests' prefix, and removes the folder of its server.</summary>
    public static void End()
    {
        _ = Run(CreateStartInfo("wine", ["wineboot", "--kill"]), TimeSpan.FromMinutes(1));
        // Debian's Wine makes a temporary folder for the server of each prefix, and keeps its name in the prefix.
        var name = Path.Combine(s_prefix.Value, "wineserver");
        if (!File.Exists(name))
            return;
        var folder = Path.Combine(Path.GetTempPath(), File.ReadAllText(name));
        if (!Directory.Exists(folder))
            return;
        TestTimeouts.WaitUntil(() => Directory.GetFiles(folder, "socket", SearchOption.AllDirectories).Length == 0, "Wine to end");
        Directory.Delete(folder, recursive: true);
    }

    /// <summary>Exit code of a program that did not end in time.</summary>
    public const int TimeoutExitCode = -1;

    /// <summary>
    /// Runs a program to its end. On a busy computer, Wine can exit without output before it starts the program. The program is then
    /// started again.
    /// </summary>
    public static (int Code, string Output, string Error) Run(string program, string[] arguments, TimeSpan patience) =>
        RetryUntilStarted(() => Run(CreateStartInfo(program, arguments), patience), answer => answer);

    /// <summary>Repeats an action after a pause while Wine exits without output.</summary>
    public static T RetryUntilStarted<T>(Func<T> run, Func<T, (int Code, string Output, string Error)> answerOf) =>
        TestTimeouts.RetryUntil(answer => answerOf(answer) is not (not (0 or TimeoutExitCode), "", "") || WaitForShutdown(), run, 5);

    // Give ending Wine processes time to end.
    private static bool WaitForShutdown()
    {
        Thread.Sleep(TimeSpan.FromSeconds(2));
        return false;
    }

    /// <summary>
    /// Converts the output of the Windows program to native form: line ends, paths of drive Z:, and no lines from Wine itself.
    /// </summary>
    public static string NormalizeOutput(string text) =>
        WineLine()
            .Replace(
                RootPath()
                    .Replace(text.Replace("\r\n", "\n", StringComparison.Ordinal), path => Separators().Replace(path.Value[2..], "/")),
                ""
            );

    private static Dictionary<string, string> Settings => CreateSettings(s_prefix.Value);

    // Wine 8 fails when memory is mapped twice (W^X): .NET then ends with "Internal CLR error".
    private static Dictionary<string, string> CreateSettings(string prefix) =>
        new()
        {
            ["WINEPREFIX"] = prefix,
            ["WINEDEBUG"] = "-all",
            // Without a menu builder Wine enters nothing into the menus of whoever runs the tests.
            ["WINEDLLOVERRIDES"] = "winedbg.exe=d;winemenubuilder.exe=d",
            ["DOTNET_EnableWriteXorExecute"] = "0",
        };

    private static string PublishProgram()
    {
        if (TestedProgram.UsesWine && TestedProgram.OtherPath is { } other)
            return other;
        var output = Path.Combine(s_folder, "iobench");
        var start = CreateStartInfo(
            "dotnet",
            [
                "publish",
                Path.Combine(SampleFiles.RepositoryRoot, "src", "IoBench.Cli"),
                "-c",
                "Release",
                "-r",
                "win-x64",
                "--self-contained",
                "-p:IoBenchFramework=net10.0",
                "-p:ArtifactsPath=" + s_folder,
                "-o",
                output,
                "-v",
                "quiet",
                "-nodeReuse:false",
            ],
            []
        );
        var (code, text, errors) = Run(start, TimeSpan.FromMinutes(10));
        Assert.True(code == 0, text + errors);
        return Path.Combine(output, "iobench.exe");
    }

    private static string CreatePrefix()
    {
        var prefix = Path.Combine(s_folder, "prefix");
        // This file is written last. If it is missing, creating the prefix was interrupted.
        var isMade = Path.Combine(prefix, "is-made");
        if (File.Exists(isMade))
            return prefix;
        if (Directory.Exists(prefix))
            Directory.Delete(prefix, recursive: true);
        Directory.CreateDirectory(prefix);
        // Twice, because the first call creates the prefix and can stop before it sets the version.
        for (var i = 0; i < 2; i++)
            _ = Run(CreateStartInfo("wine", ["winecfg", "-v", "win10"], CreateSettings(prefix)), TimeSpan.FromMinutes(2));
        Assert.True(Directory.Exists(Path.Combine(prefix, "dosdevices")), $"Wine made no prefix in {prefix}.");
        File.WriteAllText(isMade, "");
        return prefix;
    }

    private static ProcessStartInfo CreateStartInfo(string program, IEnumerable<string> arguments, Dictionary<string, string> settings)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        foreach (var (name, value) in settings)
            start.Environment[name] = value;
        return start;
    }

    private static (int Code, string Output, string Error) Run(ProcessStartInfo start, TimeSpan patience)
    {
        using var process = Process.Start(start)!;
        var error = process.StandardError.ReadToEndAsync();
        var text = process.StandardOutput.ReadToEndAsync();
        var isOver = process.WaitForExit(patience);
        if (!isOver)
            process.Kill(entireProcessTree: true);
        return (isOver ? process.ExitCode : TimeoutExitCode, text.Result, error.Result);
    }

    [GeneratedRegex(@"\bZ:(?:\\{1,2}[^\\\s""'<>|:;,?*)]*)+")]
    private static partial Regex RootPath();

    [GeneratedRegex(@"\\{1,2}")]
    private static partial Regex Separators();

    // Wine prints this regardless of WINEDEBUG, for example if it cannot read the label of a volume whose device needs root.
    [GeneratedRegex(@"^wine: .*\n", RegexOptions.Multiline)]
    private static partial Regex WineLine();
}
