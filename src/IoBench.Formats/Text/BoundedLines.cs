using System.Text;

namespace IoBench.Formats;

internal static class TextInput
{
    /// <summary>
    /// Reads a line and truncates it at a length, so that an endless line does not use memory; null at the end of the text.
    /// </summary>
    public static string? ReadLine(TextReader reader, int maxLength)
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
