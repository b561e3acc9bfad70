using System.Globalization;
using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Formats;

internal static partial class FioJobFileReader
{
    private const int MaxSections = 10_000;
    private const int MaxLineLength = 64 * 1024;

    [GeneratedRegex(@"^\s*\[[^\]\r\n]{1,200}\]\s*$", RegexOptions.Multiline)]
    private static partial Regex GetHeaderRegex();

    [GeneratedRegex(
        @"^\s*(rw|readwrite|bs|blocksize|ioengine|iodepth|numjobs|direct|filename|size|runtime|time_based|stonewall|group_reporting|include)\b\s*(=|$)",
        RegexOptions.Multiline
    )]
    private static partial Regex GetOptionRegex();

    internal static bool LooksLike(string head) => GetHeaderRegex().IsMatch(head) && GetOptionRegex().IsMatch(head);

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

    internal static List<FioJobDefinition> Read(TextReader reader, FioOptions? common = null)
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
                SetOption(options ?? throw CreateError(number, "an option is before the first section"), text, number);
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
