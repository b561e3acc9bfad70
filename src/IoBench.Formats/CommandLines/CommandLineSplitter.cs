using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Splits a command line as the Windows command prompt does: at whitespace outside quotation marks.</summary>
internal static class CommandLineSplitter
{
    private const string Escaped = "#@,;(){}'`";

    /// <summary>Redirections (<c>&gt;</c>, <c>&gt;&gt;</c>, <c>2&gt;</c>) are separate words.</summary>
    public static List<string> Split(string line, bool keepQuotes = false)
    {
        var words = new List<string>();
        var word = new StringBuilder();
        var started = false;
        var quoted = false;
        for (var i = 0; i < line.Length; i++)
        {
            var c = line[i];
            if (c is '"' or '“' or '”' or '„')
            {
                quoted = !quoted;
                started = true;
                if (keepQuotes)
                    word.Append('"');
            }
            else if (c == '`' && i + 1 < line.Length && Escaped.Contains(line[i + 1], StringComparison.Ordinal))
            {
                // PowerShell's escape character.
                word.Append(line[++i]);
                started = true;
            }
            else if (!quoted && char.IsWhiteSpace(c))
            {
                if (started)
                    Flush();
            }
            else if (!quoted && c == '>')
            {
                // "1>" and "2>" are one word. Any other word ends before the redirection.
                if (started && word.ToString() is not ("1" or "2"))
                    Flush();
                i = AppendRedirection(line, i, word);
                Flush();
            }
            else
            {
                // The name in a placeholder can contain spaces.
                var end = FindPlaceholderEnd(line, i);
                word.Append(line, i, end - i + 1);
                i = end;
                started = true;
            }
        }
        if (started)
            Flush();
        return words;

        void Flush()
        {
            words.Add(word.ToString());
            word.Clear();
            started = false;
        }
    }

    private static int AppendRedirection(string line, int at, StringBuilder word)
    {
        var end = at + 1;
        while (end < line.Length && line[end] == '>')
            end++;
        if (end + 1 < line.Length && line[end] == '&')
            end += 2;
        word.Append(line, at, end - at);
        return end - 1;
    }

    public static string Quote(string word) => word.Length == 0 || word.Any(char.IsWhiteSpace) ? '"' + word + '"' : word;

    /// <summary>Moves the index to the last word of the redirection. The file is null if only error messages are redirected.</summary>
    public static bool TryReadRedirection(IReadOnlyList<string> args, ref int index, out string? outputFile)
    {
        outputFile = null;
        var word = args[index];
        var arrow = word.IndexOf('>', StringComparison.Ordinal);
        if (arrow < 0 || (arrow > 0 && word[..arrow] is not ("1" or "2")))
            return false;
        var name = word[arrow..].TrimStart('>');
        if (name.StartsWith('&'))
            return true;
        if (name.Length == 0)
        {
            if (index + 1 >= args.Count)
                throw IoBenchException.Usage("IoBench.InvalidCommandLine", $"{word} requires the name of a file.");
            name = args[++index];
        }
        if (word[0] != '2')
            outputFile = name;
        return true;
    }

    private const char BeginSign = '\uE000';
    private const char EndSign = '\uE001';

    internal static string ReplacePlaceholderSigns(string text) => text.Replace(BeginSign, '?').Replace(EndSign, '?');

    /// <summary>
    /// Returns a placeholder for an unknown value: its name between two private-use characters. It is an error in a test, and valid
    /// elsewhere.
    /// </summary>
    internal static string CreatePlaceholder(string name) => BeginSign + name + EndSign;

    internal static string? FindFirstPlaceholder(string text)
    {
        var begin = text.IndexOf(BeginSign, StringComparison.Ordinal);
        if (begin < 0)
            return null;
        var end = text.IndexOf(EndSign, begin);
        return FormatPlaceholders(end < 0 ? text[begin..] : text[begin..end]);
    }

    /// <summary>Index of the last character of the placeholder at <paramref name="at"/>, or <paramref name="at"/> without one.</summary>
    internal static int FindPlaceholderEnd(string text, int at) =>
        text[at] == BeginSign && text.IndexOf(EndSign, at) is > 0 and var end ? end : at;

    internal static string FormatPlaceholders(string text) => string.Concat(text.Where(c => c is not (BeginSign or EndSign)));
}
