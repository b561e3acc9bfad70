using System.Globalization;

namespace IoBench.Formats.Sqlio.CommandLine;

/// <summary>
/// SQLIO 1.5's command line: all its options with their meaning, defaults and conflicts as its readme (1999) and usage text say.
/// What IoBench does not offer is refused with one line, nothing is silently ignored.
/// </summary>
public static class SqlioCommandLine
{
    /// <summary>SQLIO's file when none is named.</summary>
    public const string DefaultFile = "testfile.dat";

    /// <summary>The specification of a command line.</summary>
    /// <param name="args">The arguments without the program's name; <c>&gt;</c> and <c>&gt;&gt;</c> with the file behind them are understood.</param>
    /// <param name="folder">Where a parameter file without full path is looked for; null = the current folder.</param>
    /// <returns>The specification; <see cref="TestOrigin.Sqlio"/> says what SQLIO was to print.</returns>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidCommandLine</c>, <c>IoBench.NotSupported</c>, or an error of the parameter file.</exception>
    public static IoTestSpecification Parse(IReadOnlyList<string> args, string? folder = null) =>
        Parse(args, name => ReadParameterFile(name, folder));

    /// <summary>Whether the arguments ask for SQLIO's usage (<c>-?</c>, <c>/?</c>, <c>-h</c>, <c>--help</c>).</summary>
    /// <param name="args">The arguments without the program's name.</param>
    public static bool AsksForUsage(IReadOnlyList<string> args)
    {
        ArgumentNullException.ThrowIfNull(args);
        return ToolHelp.IsAsked(args);
    }

    /// <summary>The specification of a command line as a batch file or a prompt shows it, the program's name included.</summary>
    /// <param name="folder">Where a parameter file without full path is looked for; null = the current folder.</param>
    /// <exception cref="IoBenchException">As <see cref="Parse(IReadOnlyList{string}, string?)"/>.</exception>
    public static IoTestSpecification ParseLine(string line, string? folder = null) =>
        ParseLine(line, name => ReadParameterFile(name, folder));

    internal static IoTestSpecification ParseLine(string line, Func<string, IReadOnlyList<SqlioParameterLine>> readParameterFile)
    {
        var words = CommandLineWords.Split(line);
        // Before the program there may be others that start it (call, start /wait, iobench --force).
        var program = words.FindIndex(IsProgram);
        var specification = Parse(words.Skip(program + 1).ToList(), readParameterFile);
        specification.Origin().CommandLine = line;
        return specification;
    }

    /// <summary>The specification of a command line, its parameter file read by the caller.</summary>
    /// <param name="args">As of <see cref="Parse(IReadOnlyList{string}, string?)"/>.</param>
    /// <param name="readParameterFile">Gives the lines of the file behind <c>-F</c>; its targets are in their order.</param>
    /// <exception cref="IoBenchException">As <see cref="Parse(IReadOnlyList{string}, string?)"/>.</exception>
    public static IoTestSpecification Parse(IReadOnlyList<string> args, Func<string, IReadOnlyList<SqlioParameterLine>> readParameterFile)
    {
        ArgumentNullException.ThrowIfNull(args);
        ArgumentNullException.ThrowIfNull(readParameterFile);
        var options = new SqlioOptionSet();
        for (var i = 0; i < args.Count; i++)
        {
            var arg = args[i];
            if (arg.Length == 0)
                continue;
            if (Redirection.TryTake(args, ref i, out var outputFile))
                options.OutputFile = outputFile ?? options.OutputFile;
            else if (IsDash(arg[0]))
                options.Set(arg[1..]);
            else
                options.AddFile(arg);
        }
        var specification = options.ToSpecification(readParameterFile);
        specification.Origin().CommandLine = "sqlio " + string.Join(' ', args.Select(CommandLineWords.Quote));
        return specification;
    }

    /// <summary>The lines of a parameter file as a command line names it, either system's separators.</summary>
    /// <param name="name">What stands behind <c>-F</c>.</param>
    /// <param name="folder">Where a name without full path is looked for; null = the current folder.</param>
    /// <exception cref="IoBenchException">As <see cref="SqlioParameterFile.ReadFile"/>.</exception>
    public static IReadOnlyList<SqlioParameterLine> ReadParameterFile(string name, string? folder = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        var path = folder is null ? name : Path.Combine(folder, name);
        // An old batch file's "sub\param.txt" on Linux.
        if (Path.DirectorySeparatorChar != '\\' && !File.Exists(path))
        {
            var unixPath = Path.Combine(folder ?? "", name.Replace('\\', '/'));
            path = File.Exists(unixPath) ? unixPath : path;
        }
        return SqlioParameterFile.ReadFile(path);
    }

    private static bool IsProgram(string word)
    {
        var name = word[(word.LastIndexOfAny(['\\', '/']) + 1)..].TrimStart('@');
        return name.StartsWith("sqlio", StringComparison.OrdinalIgnoreCase)
            && name[5..].ToUpperInvariant() is ("" or "2" or ".EXE" or "2.EXE");
    }

    /// <summary>A hyphen, or what web pages make of one.</summary>
    private static bool IsDash(char c) => c is '-' or '–' or '—' or '−';

    internal static IoBenchException Wrong(string what, IoText? advice = null) =>
        IoBenchException.Usage("IoBench.InvalidCommandLine", "sqlio: " + what, advice: advice);

    internal static IoBenchException NotOffered(string what, IoText? advice = null) =>
        IoBenchException.Usage("IoBench.NotSupported", "sqlio: " + what, advice: advice);

    internal static int Number(string option, string text, int min, int max, string example) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value) && value >= min && value <= max
            ? value
            : throw Wrong(
                text.Length == 0
                    ? $"{option} needs a number right behind it, for example {example}."
                    : $"{option}{text}: {Figures.Whole(min)} to {Figures.Whole(max)} are possible, for example {example}."
            );
}
