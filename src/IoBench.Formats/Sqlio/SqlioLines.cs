using System.Globalization;

namespace IoBench.Formats;

/// <summary>Writes lines with figures as SQLIO formats them.</summary>
internal sealed class SqlioLines(TextWriter writer, string newLine)
{
    /// <summary>A line.</summary>
    public void Add(FormattableString line)
    {
        writer.Write(line.ToString(CultureInfo.InvariantCulture));
        writer.Write(newLine);
    }

    /// <summary>A line of fixed text.</summary>
    public void Add(string line)
    {
        writer.Write(line);
        writer.Write(newLine);
    }
}
