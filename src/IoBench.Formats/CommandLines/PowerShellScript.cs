using System.Text;
using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads a script of PowerShell that only calls tools. Its quotation and comments are written as in a batch file.</summary>
internal static partial class PowerShellScript
{
    private const int MaxLength = 1 << 20;

    /// <summary>Variables, blocks, and keywords: the batch interpreter would read the content of a loop as if it ran once.</summary>
    [GeneratedRegex(
        @"[{}]|(?<!`)\$[A-Za-z_{(]|@\(|^\s*(foreach|for|while|do|if|switch|function|param|try|trap|begin|process|end)\b",
        RegexOptions.Multiline | RegexOptions.IgnoreCase | RegexOptions.CultureInvariant
    )]
    private static partial Regex GetLanguageRegex();

    [GeneratedRegex("<#.*?#>", RegexOptions.Singleline)]
    private static partial Regex GetBlockCommentRegex();

    /// <exception cref="IoBenchException"><c>IoBench.NotSupported</c>: the script has more than calls.</exception>
    internal static TextReader ReadCalls(TextReader reader, string path)
    {
        var buffer = new char[MaxLength + 1];
        var length = reader.ReadBlock(buffer);
        var text = GetBlockCommentRegex().Replace(new string(buffer, 0, length), KeepLineBreaks);
        var lines = text.ReplaceLineEndings("\n").Split('\n').Select(RemoveComment).ToList();
        if (length > MaxLength || lines.Exists(line => GetLanguageRegex().IsMatch(line)))
            throw IoBenchException.Usage(
                "IoBench.NotSupported",
                $"{path} is a PowerShell script with variables, blocks, or conditions, which IoBench cannot convert.",
                path,
                advice: "Insert 'iobench' before the name of the tool and run the script, or copy its commands into a text file and replace the variables with values."
            );
        return new StringReader(string.Join('\n', lines.Select(ReplaceQuotation)));
    }

    private static string KeepLineBreaks(Match comment) => new('\n', comment.Value.Count(c => c == '\n'));

    private static string RemoveComment(string line)
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
    private static string ReplaceQuotation(string line)
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
