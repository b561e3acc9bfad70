using System.Text;

namespace IoBench.Formats;

internal static class EmbeddedToolSection
{
    /// <summary>Scripts print SQLIO's command line with the same prefix. Called for every line, so the first letter decides.</summary>
    public static bool IsDiskSpdStart(ReadOnlySpan<byte> line)
    {
        if (line.IsEmpty || line[0] is not ((byte)'I' or (byte)'C'))
            return false;
        return line.StartsWith("Input parameters:"u8)
            || (
                line.StartsWith("Command Line:"u8) && !Encoding.ASCII.GetString(line).Contains("sqlio", StringComparison.OrdinalIgnoreCase)
            );
    }

    public static bool IsSqlioStart(ReadOnlySpan<char> line)
    {
        if (line.Length < 8)
            return false;
        if (line[0] is 's' or 'S')
            return line.StartsWith("sqlio v", StringComparison.OrdinalIgnoreCase) && char.IsAsciiDigit(line[7]);
        return line[1] == ':'
            && line[2] == '\\'
            && line.IndexOf('>') > 0
            && line.Contains("sqlio", StringComparison.OrdinalIgnoreCase)
            && SqlioSurroundingLines.TryGetCommandLine(Encoding.UTF8.GetBytes(line[..Math.Min(line.Length, 4096)].ToString()), out _);
    }
}
