using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Converts fio's command lines and job files to tests. Jobs that run concurrently become the targets of one test.</summary>
public static partial class FioCommandLine
{
    /// <summary>Parses a line of a batch file or a prompt, including the program's name.</summary>
    public static CommandLineTests ParseLine(string line, string? folder = null)
    {
        ArgumentNullException.ThrowIfNull(line);
        var words = SplitWords(line);
        var program = words.FindIndex(ToolName.IsFio);
        var tests = Parse([.. words.Skip(program + 1)], folder);
        foreach (var test in tests.Specifications)
            test.GetOrAddOrigin().CommandLine = line.Trim();
        return tests;
    }

    /// <param name="args">Arguments without the program's name.</param>
    public static CommandLineTests Parse(IReadOnlyList<string> args, string? folder = null)
    {
        ArgumentNullException.ThrowIfNull(args);
        var call = new FioCallParser(folder);
        call.ParseArguments(args);
        return FioTestMapper.MapJobs(call.Sections, null, call.OutputFile);
    }

    /// <summary>Reads the tests of a job file.</summary>
    public static CommandLineTests ReadJobFile(TextReader reader, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(reader);
        var sections = ReadSections(reader);
        return sections.Count == 0
            ? throw IoBenchException.InvalidData(
                "IoBench.NoCommandLines",
                $"{sourceFile ?? "The job file"} has no job. It contains only [global].",
                sourceFile
            )
            : FioTestMapper.MapJobs(sections, sourceFile, null);
    }

    /// <summary>As Linux shells and the Windows prompt do: at spaces outside single or double quotation marks.</summary>
    internal static List<string> SplitWords(string line)
    {
        var words = new List<string>();
        var word = new StringBuilder();
        var started = false;
        var quote = '\0';
        for (var i = 0; i < line.Length; i++)
        {
            var c = line[i];
            if (quote != '\0' ? c == quote : c is '"' or '\'')
            {
                quote = quote == '\0' ? c : '\0';
                started = true;
            }
            else if (quote == '\0' && char.IsWhiteSpace(c))
            {
                Flush();
            }
            else if (quote == '\0' && c == '>')
            {
                i = TakeRedirection(i);
            }
            else
            {
                word.Append(c);
                started = true;
            }
        }
        Flush();
        return words;

        // "2>&1" is one word, so only a digit belongs to the redirection. Any other word ends before ">".
        int TakeRedirection(int at)
        {
            if (word.ToString() is not ("1" or "2"))
                Flush();
            var end = at + 1;
            while (end < line.Length && line[end] is '>' or '&' or '1' && (line[end] != '1' || line[end - 1] == '&'))
                end++;
            word.Append(line, at, end - at);
            started = true;
            Flush();
            return end - 1;
        }

        void Flush()
        {
            if (started)
                words.Add(word.ToString());
            word.Clear();
            started = false;
        }
    }

    private const int MaxSections = 10_000;
    private const int MaxLineLength = 64 * 1024;

    [GeneratedRegex(@"^\s*\[[^\]\r\n]{1,200}\]\s*$", RegexOptions.Multiline)]
    private static partial Regex GetHeaderRegex();

    [GeneratedRegex(
        @"^\s*(rw|readwrite|bs|blocksize|ioengine|iodepth|numjobs|direct|filename|size|runtime|time_based|stonewall|group_reporting|include)\b\s*(=|$)",
        RegexOptions.Multiline
    )]
    private static partial Regex GetOptionRegex();

    internal static bool IsJobFile(string head) => GetHeaderRegex().IsMatch(head) && GetOptionRegex().IsMatch(head);

    /// <summary>Examples: <c>bs={{ size }}</c> (Jinja and others), <c>bs=&lt;%= size %&gt;</c> (ERB).</summary>
    [GeneratedRegex(@"\{\{.{0,200}?\}\}|\{%.{0,200}?%\}|<%.{0,200}?%>")]
    private static partial Regex GetTemplateRegex();

    [GeneratedRegex(@"\bfio\s.{0,2000}--(rw|readwrite|bs|blocksize|iodepth|filename|size)\b")]
    private static partial Regex GetArgumentRegex();

    internal static bool HasCommandLine(string head) => GetArgumentRegex().IsMatch(head);

    /// <summary>Returns the name of a template's language if the text is the template of a job file or of a command line; otherwise
    /// null.</summary>
    internal static string? FindTemplateLanguage(string head) =>
        (GetOptionRegex().IsMatch(head) || HasCommandLine(head)) && GetTemplateRegex().Match(head) is { Success: true } match
            ? match.Value[0] == '<'
                ? "ERB"
                : "Jinja"
            : null;

    internal static List<FioJobDefinition> ReadSections(TextReader reader, FioOptions? common = null)
    {
        var sections = new List<FioJobDefinition>();
        var global = new FioOptions(common);
        FioOptions? options = null;
        var number = 0;
        while (reader.ReadLine() is { } line)
        {
            number++;
            if (line.Length > MaxLineLength)
                throw CreateError(number, "the line is too long");
            var text = line.Trim();
            if (text.Length == 0 || text[0] is '#' or ';')
                continue;
            if (text[0] == '[')
            {
                var end = text.IndexOf(']', StringComparison.Ordinal);
                if (end < 2)
                    throw CreateError(number, "the name of a section must be in brackets: [name]");
                options = Begin(text[1..end], number);
            }
            else if (text.StartsWith("include ", StringComparison.Ordinal))
            {
                throw IoBenchException.Usage(
                    "IoBench.NotSupported",
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"fio: line {number}: IoBench does not support include. Insert the lines of that file instead."
                    )
                );
            }
            else
            {
                SetOption(options ?? throw CreateError(number, "there is an option before the first section"), text, number);
            }
        }
        return sections;

        FioOptions Begin(string name, int line)
        {
            if (name == "global")
                return global;
            if (sections.Count >= MaxSections)
                throw CreateError(line, "there are too many sections");
            var own = new FioOptions(global);
            sections.Add(new FioJobDefinition(name, line, own));
            return own;
        }
    }

    private static void SetOption(FioOptions options, string text, int line)
    {
        // A "#" or ";" after a space starts a comment.
        for (var i = 1; i < text.Length; i++)
        {
            if (text[i] is '#' or ';' && char.IsWhiteSpace(text[i - 1]))
            {
                text = text[..i].TrimEnd();
                break;
            }
        }
        var at = text.IndexOf('=', StringComparison.Ordinal);
        FioOptionCatalog.SetOption(
            options,
            at < 0 ? text : text[..at].TrimEnd(),
            at < 0
                ? ""
                : FioOptionCatalog.ExpandVariables(
                    text[(at + 1)..].TrimStart(),
                    name => CreateError(line, $"the environment variable {name} is not set")
                )
        );
    }

    private static IoBenchException CreateError(int line, string message) =>
        IoBenchException.Usage("IoBench.InvalidCommandLine", string.Create(CultureInfo.InvariantCulture, $"fio: line {line}: {message}."));
}
