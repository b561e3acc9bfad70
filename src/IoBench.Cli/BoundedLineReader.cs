using System.Text;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>Reads lines up to a maximum length, because standard input can be endless and without line ends.</summary>
/// <param name="name">Name of the input in the message.</param>
internal sealed class BoundedLineReader(TextReader reader, string name) : TextReader
{
    /// <summary>Maximum length of a line in characters. A plan of 20,000 tests is shorter.</summary>
    public const int MaxLength = 64 * 1024 * 1024;

    /// <exception cref="IoBenchException"><c>IoBench.LineTooLong</c>. The rest of the input was not read.</exception>
    public override string? ReadLine()
    {
        var line = new StringBuilder();
        while (reader.Read() is var next and not -1)
        {
            if (next == '\n')
                return line.ToString().TrimEnd('\r');
            if (line.Length == MaxLength)
                throw IoBenchException.InvalidData(
                    "IoBench.LineTooLong",
                    $"{name} has a line of more than {NumberFormat.Grouped(MaxLength)} characters.",
                    name,
                    advice: "Check the program that produces this input."
                );
            line.Append((char)next);
        }
        return line.Length == 0 ? null : line.ToString();
    }

    public override int Read() => reader.Read();

    public override int Peek() => reader.Peek();
}
