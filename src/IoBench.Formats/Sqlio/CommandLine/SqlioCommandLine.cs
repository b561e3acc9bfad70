using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Parses SQLIO 1.5's command line as its readme (1999) and usage text define it. Unsupported options are errors.</summary>
public static class SqlioCommandLine
{
    /// <summary>SQLIO's file if the command line names none.</summary>
    public const string DefaultFile = "testfile.dat";

    /// <summary>Parses the arguments without the program's name. <see cref="TestOrigin.Sqlio"/> has SQLIO's output options.</summary>
    /// <exception cref="IoBenchException">The arguments or the parameter file are invalid or not supported.</exception>
    public static IoTestSpecification Parse(IReadOnlyList<string> args, string? folder = null) =>
        Parse(args, name => ReadParameterFile(name, folder));

    /// <summary>Returns whether the arguments request SQLIO's usage (<c>-?</c>, <c>/?</c>, <c>-h</c>, <c>--help</c>).</summary>
    public static bool IsUsageRequested(IReadOnlyList<string> args)
    {
        ArgumentNullException.ThrowIfNull(args);
        return ToolName.IsHelpRequest(args);
    }

    /// <summary>Parses a line of a batch file or a prompt, including the program's name.</summary>
    public static IoTestSpecification ParseLine(string line, string? folder = null) =>
        ParseLine(line, name => ReadParameterFile(name, folder));

    internal static IoTestSpecification ParseLine(string line, Func<string, IReadOnlyList<SqlioParameterLine>> readParameterFile)
    {
        var words = CommandLineSplitter.Split(line);
        // Other programs that start SQLIO can precede it (call, start /wait, iobench --fill-volume).
        var program = words.FindIndex(IsProgram);
        var specification = Parse(words.Skip(program + 1).ToList(), readParameterFile);
        specification.GetOrAddOrigin().CommandLine = line;
        return specification;
    }

    /// <param name="readParameterFile">Returns the lines of the file after <c>-F</c>. The targets have their order.</param>
    public static IoTestSpecification Parse(IReadOnlyList<string> args, Func<string, IReadOnlyList<SqlioParameterLine>> readParameterFile)
    {
        ArgumentNullException.ThrowIfNull(args);
        ArgumentNullException.ThrowIfNull(readParameterFile);
        var options = new SqlioOptionParser();
        for (var i = 0; i < args.Count; i++)
        {
            var arg = args[i];
            if (arg.Length == 0)
                continue;
            if (CommandLineSplitter.TryReadRedirection(args, ref i, out var outputFile))
                options.OutputFile = outputFile ?? options.OutputFile;
            else if (IsDash(arg[0]))
                options.ParseOption(arg[1..]);
            else
                options.AddFile(arg);
        }
        var specification = options.ToSpecification(readParameterFile);
        specification.GetOrAddOrigin().CommandLine = "sqlio " + string.Join(' ', args.Select(CommandLineSplitter.Quote));
        return specification;
    }

    /// <summary>Reads a parameter file as a command line names it, with the path separators of Windows or Linux.</summary>
    public static IReadOnlyList<SqlioParameterLine> ReadParameterFile(string name, string? folder = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        var path = folder is null ? name : Path.Combine(folder, name);
        // On Linux, accept the backslashes of an old batch file ("sub\param.txt").
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

    /// <summary>Accepts the dashes that web pages insert instead of a hyphen.</summary>
    private static bool IsDash(char c) => c is '-' or '–' or '—' or '−';

    internal static IoBenchException CreateError(string what, IoMessage? advice = null) =>
        IoBenchException.Usage("IoBench.InvalidCommandLine", "sqlio: " + what, advice: advice);

    internal static IoBenchException CreateNotSupportedError(string what, IoMessage? advice = null) =>
        IoBenchException.Usage("IoBench.NotSupported", "sqlio: " + what, advice: advice);

    internal static int ParseNumber(string option, string text, int min, int max, string example) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value) && value >= min && value <= max
            ? value
            : throw CreateError(
                text.Length == 0
                    ? $"{option} requires a number without a space, for example {example}."
                    : $"{option}{text}: use {NumberFormat.Integer(min)} to {NumberFormat.Integer(max)}, for example {example}."
            );

    internal const int MaxThreads = 256;

    /// <summary>Files, including those of <c>-d</c> and <c>-R</c>.</summary>
    internal const int MaxFiles = 256;

    /// <summary>Characters of a file name.</summary>
    internal const int MaxNameLength = 256;
}
