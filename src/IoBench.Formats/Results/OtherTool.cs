using System.Text;

namespace IoBench.Formats.Results;

/// <summary>Where in one tool's text the other tool's begins: a night's log may hold runs of both.</summary>
internal static class OtherTool
{
    /// <summary>DiskSpd's first lines, which SQLIO never prints; scripts echo SQLIO's command line in such words. Asked of every line, so decided by the first letter mostly.</summary>
    public static bool BeginsDiskSpd(ReadOnlySpan<byte> line)
    {
        if (line.IsEmpty || line[0] is not ((byte)'I' or (byte)'C'))
            return false;
        return line.StartsWith("Input parameters:"u8)
            || (
                line.StartsWith("Command Line:"u8) && !Encoding.ASCII.GetString(line).Contains("sqlio", StringComparison.OrdinalIgnoreCase)
            );
    }

    /// <summary>SQLIO's first line, or the prompt that starts it.</summary>
    public static bool BeginsSqlio(ReadOnlySpan<char> line)
    {
        if (line.Length < 8)
            return false;
        if (line[0] is 's' or 'S')
            return line.StartsWith("sqlio v", StringComparison.OrdinalIgnoreCase) && char.IsAsciiDigit(line[7]);
        return line[1] == ':'
            && line[2] == '\\'
            && line.IndexOf('>') > 0
            && line.Contains("sqlio", StringComparison.OrdinalIgnoreCase)
            && SqlioNoise.TryTakeCommandLine(Encoding.UTF8.GetBytes(line[..Math.Min(line.Length, 4096)].ToString()), out _);
    }
}
