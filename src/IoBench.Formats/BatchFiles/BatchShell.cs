using System.Text;

namespace IoBench.Formats;

internal static class BatchSyntax
{
    internal static IReadOnlyList<string>? FindInnerCommands(IReadOnlyList<string> words)
    {
        var first = ToolName.GetProgramName(words[0]).ToUpperInvariant();
        var isPowerShell = first is "POWERSHELL" or "PWSH";
        if (!isPowerShell && first != "CMD")
            return null;
        var at = 1;
        while (at < words.Count && (isPowerShell ? words[at].StartsWith('-') : words[at].StartsWith('/')))
            at +=
                isPowerShell && words[at].ToUpperInvariant() is "-EXECUTIONPOLICY" or "-EP" or "-EX" or "-VERSION" or "-WINDOWSTYLE"
                    ? 2
                    : 1;
        // Without quotation marks, cmd /c only precedes the tool, like call.
        if (at >= words.Count || (!isPowerShell && !words[at].Contains(' ', StringComparison.Ordinal)))
            return null;
        // A redirection after the quotation marks belongs to the outer shell and receives the output of the inner command.
        var whole = words[at].Contains(' ', StringComparison.Ordinal) ? words[at] : CommandLineSplitter.Quote(words[at]);
        var text = string.Join(' ', words.Skip(at + 1).Select(CommandLineSplitter.Quote).Prepend(whole));
        if (!BatchSyntax.GetToolRegex().IsMatch(text))
            return null;
        return isPowerShell ? SplitPowerShellStatements(text) : [text];
    }

    /// <summary>
    /// Splits PowerShell statements at semicolons. Removes call operators and braces, and converts single quotation marks to double ones.
    /// </summary>
    private static List<string> SplitPowerShellStatements(string text)
    {
        var statements = new List<string>();
        var statement = new StringBuilder();
        var quoted = false;
        foreach (var c in text)
        {
            if (c is '\'' or '\u2018' or '\u2019')
            {
                quoted = !quoted;
                statement.Append('"');
            }
            else if (c == ';' && !quoted)
            {
                Flush();
            }
            else
            {
                statement.Append(c);
            }
        }
        Flush();
        return statements;

        void Flush()
        {
            var one = statement.ToString().Trim(' ', '\t', '&', '{', '}');
            statement.Clear();
            if (one.Length > 0)
                statements.Add(one);
        }
    }
}
