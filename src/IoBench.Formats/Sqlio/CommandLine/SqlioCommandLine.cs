using System.Globalization;
using System.Numerics;
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
        return ReadParameterFile(path);
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
                    ? $"{option} requires a number, without a space before the number, for example {example}."
                    : $"{option}{text}: use {NumberFormat.Integer(min)} to {NumberFormat.Integer(max)}, for example {example}."
            );

    internal const int MaxThreads = 256;

    /// <summary>Files, including those of <c>-d</c> and <c>-R</c>.</summary>
    internal const int MaxFiles = 256;

    /// <summary>Characters of a file name.</summary>
    internal const int MaxNameLength = 256;

    private const int MaxFields = 3;

    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c> or <c>IoBench.InvalidParameterFile</c>.</exception>
    public static IReadOnlyList<SqlioParameterLine> ReadParameterFile(string path) =>
        TextInput.ReadText(path, reader => ReadParameterLines(reader, path));

    /// <summary>Reads lines of <c>file threads [mask [size in MB]]</c>. Format: "README file for sqlio v1.5", 1999.</summary>
    public static IReadOnlyList<SqlioParameterLine> ReadParameterLines(TextReader reader, string name)
    {
        ArgumentNullException.ThrowIfNull(reader);
        var lines = new List<SqlioParameterLine>();
        var number = 0;
        while (TextInput.ReadLine(reader, 4096) is { } text)
        {
            number++;
            text = PastedText.NormalizeSpaces(text).Trim();
            if (text.Length == 0 || text[0] == '#')
                continue;
            lines.Add(ParseParameterLine(text, name, number));
            if (lines.Count > MaxFiles)
                throw CreateError(name, number, $"the parameter file lists more files than the SQLIO maximum of {MaxFiles}");
        }
        return lines.Count > 0
            ? lines
            : throw CreateError(name, Math.Max(number, 1), "no file is specified. Use a form such as  c:\\testfile.dat 2 0x0 100");
    }

    /// <summary>Converts a raw drive (<c>E:</c>, <c>9:</c>) to its Windows device path; returns any other path unchanged.</summary>
    public static string GetDevicePath(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (path.Length < 2 || path[^1] != ':')
            return path;
        var name = path[..^1];
        if (name.All(char.IsAsciiDigit))
            return @"\\.\PhysicalDrive" + name;
        return name.Length == 1 && char.IsAsciiLetter(name[0]) ? @"\\.\" + path : path;
    }

    /// <summary>With several lines, each target gets the test's pattern with its own threads.</summary>
    public static void SetTargets(IoTestSpecification specification, IReadOnlyList<SqlioParameterLine> lines)
    {
        ArgumentNullException.ThrowIfNull(specification);
        ArgumentNullException.ThrowIfNull(lines);
        foreach (var line in lines)
        {
            var target = new IoTargetSpecification(GetDevicePath(line.Path));
            if (line.SizeMB is > 0 and < 8e12)
                target.FileSize = (long)Math.Round(line.SizeMB.Value * 1048576);
            if (lines.Count > 1)
                target.Pattern = CreatePoolPattern(specification, line.Threads, line.Mask);
            specification.Targets.Add(target);
        }
        if (lines.Count == 1)
            SetThreads(specification, lines[0].Threads, lines[0].Mask);
        else
            specification.ThreadCount = lines.Sum(l => l.Threads);
    }

    internal static IoPattern CreatePoolPattern(IoPattern test, int threads, ulong mask)
    {
        var pattern = test.ExtractPattern();
        SetThreads(pattern, threads, mask);
        return pattern;
    }

    internal static void SetThreads(IoPattern pattern, int threads, ulong mask)
    {
        pattern.ThreadCount = threads;
        if (mask != 0 || pattern.Processors.Count > 0)
            pattern.Processors = GetProcessors(mask);
        pattern.AffinityMode = mask == 0 ? IoAffinityMode.Off : IoAffinityMode.Mask;
    }

    internal static List<int> GetProcessors(ulong mask)
    {
        var processors = new List<int>(BitOperations.PopCount(mask));
        for (var i = 0; i < 64; i++)
            if ((mask >> i & 1) != 0)
                processors.Add(i);
        return processors;
    }

    /// <summary>Parses a mask: decimal, or hexadecimal after 0x.</summary>
    internal static bool TryParseMask(string text, out ulong mask) =>
        text.StartsWith("0x", StringComparison.OrdinalIgnoreCase)
            ? ulong.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out mask)
            : ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out mask);

    private static SqlioParameterLine ParseParameterLine(string text, string name, int number)
    {
        var (path, fields) = text[0] is '"' or '“' ? SplitQuotedFields(text, name, number) : SplitFields(text);
        if (path.Length == 0)
            throw CreateError(name, number, "the file name is missing");
        // A control character or replacement character means that the text is not a parameter file.
        if (path.Any(c => char.IsControl(c) || c == '\uFFFD'))
            throw CreateError(name, number, "the line contains characters that are invalid in file names. Is the file a parameter file?");
        // Any text can be a file name. A single word or a text with spaces that is not followed by a number is probably not a line of a
        // parameter file.
        if (fields.Count == 0 && text[0] is not ('"' or '“') && !LooksLikePath(path))
            throw CreateError(
                name,
                number,
                $"the number of threads after '{path}' is missing. Use a form such as  c:\\testfile.dat 2 0x0 100, and enclose a name with spaces in quotation marks"
            );
        if (path.Length > MaxNameLength)
            throw CreateError(name, number, $"the file name is longer than {MaxNameLength} characters");
        var threads = 1;
        if (
            fields.Count > 0
            && (!int.TryParse(fields[0], NumberStyles.None, CultureInfo.InvariantCulture, out threads) || threads is < 1 or > MaxThreads)
        )
            throw CreateError(name, number, $"'{fields[0]}' is not a valid number of threads. Use 1 to {MaxThreads}");
        ulong mask = 0;
        if (fields.Count > 1 && !TryParseMask(fields[1], out mask))
            throw CreateError(name, number, $"'{fields[1]}' is not a CPU mask. Use a form such as 0x0 (any) or 0xF");
        double size = 0;
        if (
            fields.Count > 2
            && (
                !double.TryParse(fields[2], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out size)
                || size is <= 0 or > 8e12
            )
        )
            throw CreateError(name, number, $"'{fields[2]}' is not a size in MB");
        return new SqlioParameterLine(path, threads, mask, fields.Count > 2 ? size : null, number);
    }

    private static bool LooksLikePath(string text) => text.IndexOfAny([' ', '\t']) < 0 && text.IndexOfAny(['\\', '/', ':', '.']) >= 0;

    /// <summary>Splits from the right, because a name without quotation marks can contain spaces.</summary>
    private static (string Path, List<string> Fields) SplitFields(string text)
    {
        var words = text.Split([' ', '\t'], StringSplitOptions.RemoveEmptyEntries);
        var count = words.Length;
        // A "#" after the fields starts a comment; a "#" within the name is part of the name.
        for (var i = 2; i < words.Length; i++)
        {
            if (words[i][0] == '#' && IsNumber(words[i - 1]))
            {
                count = i;
                break;
            }
        }
        var first = count;
        while (first > 1 && count - first < MaxFields && IsNumber(words[first - 1]))
            first--;
        // Only the second field, the mask, is hexadecimal. It shows where the fields start in "my file 2 4 0x0".
        var hex = Array.FindIndex(words, first, count - first, w => w.StartsWith("0x", StringComparison.OrdinalIgnoreCase));
        if (hex > first + 1)
            first = hex - 1;
        var end = 0;
        foreach (var word in words.Take(first))
            end = text.IndexOf(word, end, StringComparison.Ordinal) + word.Length;
        return (text[..end], words[first..count].ToList());
    }

    private static (string Path, List<string> Fields) SplitQuotedFields(string text, string name, int number)
    {
        var end = text.IndexOfAny(['"', '”'], 1);
        if (end < 0)
            throw CreateError(name, number, "the closing quotation mark is missing");
        var rest = text[(end + 1)..];
        var comment = rest.IndexOf('#', StringComparison.Ordinal);
        if (comment >= 0)
            rest = rest[..comment];
        var fields = rest.Split([' ', '\t'], StringSplitOptions.RemoveEmptyEntries).ToList();
        return fields.Count <= MaxFields
            ? (text[1..end], fields)
            : throw CreateError(name, number, "only threads, mask, and size can follow the file name");
    }

    private static bool IsNumber(string word) =>
        TryParseMask(word, out _) || double.TryParse(word, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out _);

    private static IoBenchException CreateError(string name, int number, string what) =>
        IoBenchException.InvalidData("IoBench.InvalidParameterFile", $"{name} line {NumberFormat.Integer(number)}: {what}.", name);
}
