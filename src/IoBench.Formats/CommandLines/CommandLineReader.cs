using System.Text;
using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads command lines and batch files of SQLIO, DiskSpd, and fio. Refuses a file if it is unknown which tests run.</summary>
public static partial class CommandLineReader
{
    /// <param name="arguments">Values of <c>%1</c>, <c>%2</c>, …; null if unknown.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidBatchFile</c>: it is unknown which commands run.</exception>
    public static CommandLineTests Read(string text, string? folder = null, IReadOnlyList<string>? arguments = null)
    {
        ArgumentNullException.ThrowIfNull(text);
        return Read(new StringReader(text), null, folder, BatchState.MaxSteps, arguments);
    }

    /// <summary>Splits the arguments of a batch file. Quotation marks stay, as in cmd.</summary>
    public static IReadOnlyList<string> SplitArguments(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return CommandLineSplitter.Split(text, keepQuotes: true);
    }

    /// <summary>Reads a batch file, a file of command lines, a DiskSpd XML profile, or a fio job file.</summary>
    public static CommandLineTests ReadFile(string path, IReadOnlyList<string>? arguments = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        var isPowerShell = Path.GetExtension(path).ToUpperInvariant() is ".PS1" or ".PSM1";
        using var stream = TextInput.OpenFile(path);
        try
        {
            var head = TextInput.DecodeHead(TextInput.ReadHead(stream));
            if (DiskSpdProfile.LooksLike(head))
                return ReadProfile(path);
            if (FioCommandLine.FindTemplateLanguage(head) is { } language)
                throw IoBenchException.InvalidData(
                    "IoBench.InvalidCommandLine",
                    $"{path}: This file is a template ({language}), not a {(FioCommandLine.HasCommandLine(head) ? "command line" : "job file")}.",
                    path,
                    advice: "Replace the placeholders in the template with values, and convert that file."
                );
            if (FioCommandLine.IsJobFile(head))
                return FioCommandLine.ReadJobFile(TextInput.OpenText(stream), path);
            var tests = Read(
                isPowerShell ? ReadPowerShellCalls(TextInput.OpenText(stream), path) : TextInput.OpenText(stream),
                path,
                Path.GetDirectoryName(Path.GetFullPath(path)),
                BatchState.MaxSteps,
                arguments
            );
            return tests.Specifications.Count + tests.Refused.Count > 0
                ? tests
                : throw IoBenchException.InvalidData(
                    "IoBench.NoCommandLines",
                    $"{path} contains no SQLIO, DiskSpd, or fio command line. A line must begin with the name of the program, such as sqlio or diskspd.exe.",
                    path
                );
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw TextInput.CreateReadError(path, e);
        }
    }

    internal static string? FindFioTemplateLanguage(string head) => FioCommandLine.FindTemplateLanguage(head);

    internal static bool IsFioJobFile(string head) => FioCommandLine.IsJobFile(head);

    private static CommandLineTests ReadProfile(string path)
    {
        var profile = DiskSpdProfile.ReadProfile(path, [], mustBeWhole: false);
        var notes = new List<string>();
        if (profile.DescribeEmptyDurations(hasDuration: false, hasWarmUp: false, hasCoolDown: false) is { } empty)
            notes.Add($"{path}: {empty}");
        DiskSpdSupport.PrepareToRun(profile.Specifications, notes);
        return new CommandLineTests(profile.Specifications, notes, []);
    }

    public static CommandLineTests Read(TextReader reader, string? sourceFile, string? folder) =>
        Read(reader, sourceFile, folder, BatchState.MaxSteps);

    internal static CommandLineTests Read(
        TextReader reader,
        string? sourceFile,
        string? folder,
        int maxSteps,
        IReadOnlyList<string>? arguments = null
    )
    {
        ArgumentNullException.ThrowIfNull(reader);
        var state = new BatchState(sourceFile, maxSteps);
        var variables = new BatchVariables(folder, sourceFile, arguments);
        new BatchInterpreter(new BatchLineReader(reader, sourceFile), variables, folder, state).Run();
        return new CommandLineTests(state.Specifications, state.Notes, state.Refused);
    }

    private const int MaxPowerShellLength = 1 << 20;

    /// <summary>Variables, blocks, and keywords: the batch interpreter would read the content of a loop as if it ran once.</summary>
    [GeneratedRegex(
        @"[{}]|(?<!`)\$[A-Za-z_{(]|@\(|^\s*(foreach|for|while|do|if|switch|function|param|try|trap|begin|process|end)\b",
        RegexOptions.Multiline | RegexOptions.IgnoreCase | RegexOptions.CultureInvariant
    )]
    private static partial Regex GetPowerShellLanguageRegex();

    [GeneratedRegex("<#.*?#>", RegexOptions.Singleline)]
    private static partial Regex GetBlockCommentRegex();

    /// <summary>Reads a script that only calls tools. Its quotation and comments are written as in a batch file.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotSupported</c>: the script has more than calls.</exception>
    internal static TextReader ReadPowerShellCalls(TextReader reader, string path)
    {
        var buffer = new char[MaxPowerShellLength + 1];
        var length = reader.ReadBlock(buffer);
        var text = GetBlockCommentRegex().Replace(new string(buffer, 0, length), KeepLineBreaks);
        var lines = text.ReplaceLineEndings("\n").Split('\n').Select(RemovePowerShellComment).ToList();
        if (length > MaxPowerShellLength || lines.Exists(line => GetPowerShellLanguageRegex().IsMatch(line)))
            throw IoBenchException.Usage(
                "IoBench.NotSupported",
                $"{path} is a PowerShell script with variables, blocks, or conditions, which IoBench cannot convert.",
                path,
                advice: "Insert 'iobench' before the name of the tool, and run the script. Or copy the commands of the script into a text file, and replace the variables with values."
            );
        return new StringReader(string.Join('\n', lines.Select(ReplacePowerShellQuotation)));
    }

    private static string KeepLineBreaks(Match comment) => new('\n', comment.Value.Count(c => c == '\n'));

    private static string RemovePowerShellComment(string line)
    {
        var quote = '\0';
        for (var i = 0; i < line.Length; i++)
        {
            if (line[i] == '`' && quote != '\'')
                i++;
            else if (quote != '\0' ? line[i] == quote : line[i] is '"' or '\'')
                quote = quote == '\0' ? line[i] : '\0';
            else if (line[i] == '#' && quote == '\0' && (i == 0 || char.IsWhiteSpace(line[i - 1])))
                return line[..i];
        }
        return line;
    }

    /// <summary>Writes single quotation marks as double ones.</summary>
    private static string ReplacePowerShellQuotation(string line)
    {
        var result = new StringBuilder(line);
        var quote = '\0';
        for (var i = 0; i < line.Length; i++)
        {
            if (quote != '\0' ? line[i] != quote : line[i] is not ('"' or '\''))
                continue;
            quote = quote == '\0' ? line[i] : '\0';
            result[i] = '"';
        }
        return result.ToString();
    }
}

/// <summary>Tests in the order in which they would run, notes about ignored lines, and errors of lines that cannot be read.</summary>
public sealed record CommandLineTests(
    IReadOnlyList<IoTestSpecification> Specifications,
    IReadOnlyList<string> Notes,
    IReadOnlyList<IoBenchException> Refused
)
{
    /// <summary>Throws the first error, because running only a part of the tests is another test.</summary>
    public CommandLineTests ThrowIfRefused() => Refused.Count == 0 ? this : throw Refused[0];
}
