using System.Text;

namespace IoBench.Formats.CommandLines;

/// <summary>Parts a command line into words as Windows' prompt does: at blanks, but not within quotation marks.</summary>
internal static class CommandLineWords
{
    /// <summary>The words, without their quotation marks; redirections (<c>&gt;</c>, <c>&gt;&gt;</c>, <c>2&gt;</c>) are words of their own.</summary>
    /// <param name="keepQuotes">With the quotation marks, as a batch file's arguments are.</param>
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
                // "2>" is one sign; any other word ends here.
                if (started && word.ToString() is not ("1" or "2"))
                    Flush();
                i = AppendRedirection(line, i, word);
                Flush();
            }
            else
            {
                // The name of a value that is not known may have blanks.
                var end = BatchValue.EndAt(line, i);
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

    /// <summary>Adds <c>&gt;</c>, <c>&gt;&gt;</c> or <c>&gt;&amp;1</c>; gives the place of its last character.</summary>
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

    /// <summary>A word as it must be written on a command line.</summary>
    public static string Quote(string word) => word.Length == 0 || word.Any(char.IsWhiteSpace) ? '"' + word + '"' : word;
}
