using System.Diagnostics;
using System.Text.RegularExpressions;

namespace IoBench.Cli.Tests;

/// <summary>Windows' program and the Wine that runs it: one build and one prefix for all tests, kept for the next run of them.</summary>
internal static partial class Wine
{
    /// <summary>A folder of its own for what the build writes: a build for another framework must not disturb the tests' own.</summary>
    private static readonly string s_folder = Path.Combine(Samples.Root, "artifacts", "windows");

    private static readonly Lazy<string> s_program = new(Publish);
    private static readonly Lazy<string> s_prefix = new(MakePrefix);

    /// <summary>The program as it is published, self-contained; or the one that the environment names.</summary>
    public static string Program => s_program.Value;

    /// <summary>The name of what starts Windows' programs, once all that this process starts uses the tests' prefix.</summary>
    public static string Starter()
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

    /// <summary>A program of Wine's, or one for Windows behind <c>wine</c>, with the tests' prefix.</summary>
    public static ProcessStartInfo Prepare(string program, IEnumerable<string> arguments) => Prepare(program, arguments, Settings);

    /// <summary>Ends what Wine left running in the tests' prefix, and removes the folder of its server.</summary>
    public static void End()
    {
        _ = Run(Prepare("wine", ["wineboot", "--kill"]), TimeSpan.FromMinutes(1));
        // Debian's Wine makes a temporary folder for the server of each prefix, and keeps its name in the prefix.
        var name = Path.Combine(s_prefix.Value, "wineserver");
        if (!File.Exists(name))
            return;
        var folder = Path.Combine(Path.GetTempPath(), File.ReadAllText(name));
        if (!Directory.Exists(folder))
            return;
        Patience.WaitFor(() => Directory.GetFiles(folder, "socket", SearchOption.AllDirectories).Length == 0, "Wine to end");
        Directory.Delete(folder, recursive: true);
    }

    /// <summary>The exit code of what did not end in time.</summary>
    public const int NoEnd = -1;

    /// <summary>
    /// Runs it to its end. On a busy computer Wine may end without a word before it starts a program; no program here ends so. Then it is started again.
    /// </summary>
    public static (int Code, string Output, string Error) Run(string program, string[] arguments, TimeSpan patience) =>
        UntilItStarts(() => Run(Prepare(program, arguments), patience), answer => answer);

    /// <summary>Runs something by Wine; again, after a while, when Wine ended without a word.</summary>
    public static T UntilItStarts<T>(Func<T> run, Func<T, (int Code, string Output, string Error)> answerOf) =>
        Patience.Until(answer => answerOf(answer) is not (not (0 or NoEnd), "", "") || Wait(), run, 5);

    // Whatever of Wine was about to end has ended by then.
    private static bool Wait()
    {
        Thread.Sleep(TimeSpan.FromSeconds(2));
        return false;
    }

    /// <summary>What Windows' program wrote, as the same program writes it here: ends of lines, paths of the drive that is this computer's root, nothing from Wine itself.</summary>
    public static string AsHere(string text) =>
        WineLine()
            .Replace(
                RootPath()
                    .Replace(text.Replace("\r\n", "\n", StringComparison.Ordinal), path => Separators().Replace(path.Value[2..], "/")),
                ""
            );

    private static Dictionary<string, string> Settings => SettingsOf(s_prefix.Value);

    // Memory that is mapped twice, once to write code and once to run it, is more than Wine 8 keeps apart: .NET then ends with an "Internal CLR error".
    private static Dictionary<string, string> SettingsOf(string prefix) =>
        new()
        {
            ["WINEPREFIX"] = prefix,
            ["WINEDEBUG"] = "-all",
            // Without a menu builder Wine enters nothing into the menus of whoever runs the tests.
            ["WINEDLLOVERRIDES"] = "winedbg.exe=d;winemenubuilder.exe=d",
            ["DOTNET_EnableWriteXorExecute"] = "0",
        };

    private static string Publish()
    {
        if (TestedProgram.IsByWine && TestedProgram.OtherPath is { } other)
            return other;
        var output = Path.Combine(s_folder, "iobench");
        var start = Prepare(
            "dotnet",
            [
                "publish",
                Path.Combine(Samples.Root, "src", "IoBench.Cli"),
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

    private static string MakePrefix()
    {
        var prefix = Path.Combine(s_folder, "prefix");
        // Written last: without it somebody ended the making of it.
        var isMade = Path.Combine(prefix, "is-made");
        if (File.Exists(isMade))
            return prefix;
        if (Directory.Exists(prefix))
            Directory.Delete(prefix, recursive: true);
        Directory.CreateDirectory(prefix);
        // Twice: the first makes the prefix, and may stop before it has told the version.
        for (var i = 0; i < 2; i++)
            _ = Run(Prepare("wine", ["winecfg", "-v", "win10"], SettingsOf(prefix)), TimeSpan.FromMinutes(2));
        Assert.True(Directory.Exists(Path.Combine(prefix, "dosdevices")), $"Wine made no prefix in {prefix}.");
        File.WriteAllText(isMade, "");
        return prefix;
    }

    private static ProcessStartInfo Prepare(string program, IEnumerable<string> arguments, Dictionary<string, string> settings)
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
        return (isOver ? process.ExitCode : NoEnd, text.Result, error.Result);
    }

    [GeneratedRegex(@"\bZ:(?:\\{1,2}[^\\\s""'<>|:;,?*)]*)+")]
    private static partial Regex RootPath();

    [GeneratedRegex(@"\\{1,2}")]
    private static partial Regex Separators();

    // Said whatever WINEDEBUG is: a volume whose device root may not read has no label.
    [GeneratedRegex(@"^wine: .*\n", RegexOptions.Multiline)]
    private static partial Regex WineLine();
}
