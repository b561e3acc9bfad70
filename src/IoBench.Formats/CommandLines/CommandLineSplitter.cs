using System.Text;

namespace IoBench.Formats;

/// <summary>Splits a command line as the Windows command prompt does: at whitespace outside quotation marks.</summary>
internal static class CommandLineSplitter
{
    /// <summary>
    /// Returns the words without quotation marks. Redirections (<c>&gt;</c>, <c>&gt;&gt;</c>, <c>2&gt;</c>) are separate words.
    /// </summary>
    /// <param name="keepQuotes">Keeps the quotation marks, for the arguments of a batch file.</param>
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
                var end = BatchPlaceholder.FindEnd(line, i);
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
}
