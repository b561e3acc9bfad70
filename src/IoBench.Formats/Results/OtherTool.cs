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
            || (line.StartsWith("Command Line:"u8) && !Encoding.ASCII.GetString(line).Contains("sqlio", StringComparison.OrdinalIgnoreCase));
    }

    /// <summary>SQLIO's first line, or the prompt that starts it.</summary>
    public static bool BeginsSqlio(ReadOnlySpan<char> line)
    {
        if (line.Length < 8)
            return false;
        if (line[0] is 's' or 'S')
            return line.StartsWith("sqlio v", StringComparison.OrdinalIgnoreCase) && char.IsAsciiDigit(line[7]);
        return line[1] == ':' && line[2] == '\\' && line.IndexOf('>') > 0 && line.Contains("sqlio", StringComparison.OrdinalIgnoreCase)
            && SqlioNoise.TryTakeCommandLine(Encoding.UTF8.GetBytes(line[..Math.Min(line.Length, 4096)].ToString()), out _);
    }
}

/// <summary>Runs of DiskSpd within SQLIO's text.</summary>
internal sealed class DiskSpdPart(string? sourceFile)
{
    private readonly RunParser _parser = new(sourceFile);
    private char[] _chars = new char[1024];
    private string? _warning;

    /// <summary>Begins with its first line.</summary>
    public void Begin(int number) => _warning = $"Line {number}: DiskSpd's output begins here, in a text that began as SQLIO's.";

    /// <summary>Takes a line; false when SQLIO's text begins again with it, which is not taken.</summary>
    public bool TryTake(ReadOnlySpan<byte> line, int number)
    {
        if (line.Length > _chars.Length)
            _chars = new char[line.Length];
        var text = _chars.AsSpan(0, TextEncodings.Utf8Or1252.GetChars(line, _chars));
        if (OtherTool.BeginsSqlio(text))
            return false;
        _parser.Take(text, number);
        return true;
    }

    /// <summary>Its text has ended.</summary>
    public void End() => _parser.End();

    /// <summary>A finished result.</summary>
    public bool TryTakeResult(out IoTestResult result)
    {
        if (!_parser.TryTake(out result))
            return false;
        if (_warning is not null)
            result.Warnings.Insert(0, _warning);
        _warning = null;
        return true;
    }
}

/// <summary>Runs of SQLIO within DiskSpd's text.</summary>
internal sealed class SqlioPart(string? sourceFile)
{
    private readonly SqlioTextParser _parser = new(sourceFile);
    private byte[] _bytes = new byte[1024];
    private string? _warning;

    /// <summary>Begins with its first line.</summary>
    public void Begin(int number) => _warning = $"line {number}: SQLIO's output begins here, in a text that began as DiskSpd's.";

    /// <summary>Takes a line; false when DiskSpd's text begins again with it, which is not taken.</summary>
    public bool TryTake(ReadOnlySpan<char> line, int number, bool wasCut)
    {
        var max = Encoding.UTF8.GetMaxByteCount(line.Length);
        if (max > _bytes.Length)
            _bytes = new byte[max];
        var bytes = _bytes.AsSpan(0, Encoding.UTF8.GetBytes(line, _bytes));
        if (OtherTool.BeginsDiskSpd(bytes))
            return false;
        _parser.Feed(bytes, number, wasCut, isWhole: true);
        return true;
    }

    /// <summary>Its text has ended.</summary>
    public void End() => _parser.End();

    /// <summary>A finished result.</summary>
    public bool TryTakeResult(out IoTestResult result)
    {
        if (!_parser.TryTake(out var next))
        {
            result = null!;
            return false;
        }
        result = next!;
        if (_warning is not null)
            result.Warnings.Insert(0, _warning);
        _warning = null;
        return true;
    }
}
