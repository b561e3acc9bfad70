using System.Text;

namespace IoBench.Formats.Text;

/// <summary>Reads lines of text of which no one is kept longer than a limit, so that an endless line takes no memory.</summary>
internal static class BoundedLines
{
    /// <summary>The next line, cut at a length; null at the end of the text.</summary>
    public static string? Read(TextReader reader, int maxLength)
    {
        var line = new StringBuilder();
        var read = false;
        while (true)
        {
            var c = reader.Read();
            if (c < 0)
                return read ? line.ToString() : null;
            read = true;
            if (c == '\n')
                return line.ToString();
            if (c == '\r')
            {
                if (reader.Peek() == '\n')
                    reader.Read();
                return line.ToString();
            }
            if (line.Length < maxLength)
                line.Append((char)c);
        }
    }
}
