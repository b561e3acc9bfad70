using System.Text.RegularExpressions;

namespace IoBench.Formats;

internal static partial class SqlioSurroundingLines
{
    private static readonly string[] s_known =
    [
        // timeout and ping, which scripts use as idle time between runs, and pause
        "Waiting for ",
        "Pinging ",
        "Reply from ",
        "Request timed out",
        "Ping statistics",
        "Packets: Sent",
        "Approximate round trip",
        "Minimum = ",
        "Press any key to continue",
        "ERROR: Input redirection is not supported",
        // echo off and comments
        "ECHO is ",
        "rem ",
        "::",
        "@rem ",
    ];

    public static bool IsKnownLine(ReadOnlySpan<byte> line)
    {
        foreach (var known in s_known)
            if (StartsWith(line, known))
                return true;
        return IsSeparatorLine(line);
    }

    private static readonly byte[][] s_errorWords =
    [
        "error"u8.ToArray(),
        "fail"u8.ToArray(),
        "unable"u8.ToArray(),
        "cannot"u8.ToArray(),
        "could not"u8.ToArray(),
        "denied"u8.ToArray(),
        "not enough"u8.ToArray(),
    ];

    /// <summary>SQLIO's messages about errors are not documented, so any line with such words is one.</summary>
    public static bool IsErrorLine(ReadOnlySpan<byte> line)
    {
        if (line.Length > 300 || IsKnownLine(line))
            return false;
        Span<byte> lower = stackalloc byte[line.Length];
        for (var i = 0; i < line.Length; i++)
            lower[i] = (byte)(line[i] is >= (byte)'A' and <= (byte)'Z' ? line[i] | 0x20 : line[i]);
        foreach (var word in s_errorWords)
        {
            if (lower.IndexOf(word) >= 0)
                return true;
        }
        return false;
    }

    public static bool IsPrompt(ReadOnlySpan<byte> line)
    {
        var start = line.StartsWith("PS "u8) ? 3 : 0;
        return line.Length > start + 3
            && char.IsAsciiLetter((char)line[start])
            && line[start + 1] == ':'
            && line[start + 2] == '\\'
            && line.Contains((byte)'>');
    }

    /// <summary>Returns -1 if absent. Only the end of the line is searched, so that paths do not match.</summary>
    public static int FindHeader(ReadOnlySpan<byte> line)
    {
        // The last word of few lines looks like a version.
        var version = line.LastIndexOf((byte)' ') + 1;
        if (version >= line.Length - 1 || line[version] != 'v' || !SqlioLineScanner.IsDigit(line[version + 1]))
            return -1;
        var at = version - "sqlio ".Length;
        if (at <= 0 || !line[at..].StartsWith("sqlio "u8))
            return -1;
        foreach (var c in line[(version + 1)..])
            if (!char.IsAsciiLetterOrDigit((char)c) && c is not ((byte)'.' or (byte)'_'))
                return -1;
        return at;
    }

    public static bool TryGetCommandLine(ReadOnlySpan<byte> line, out string commandLine)
    {
        commandLine = "";
        // Few lines reach this point, but do not run a regular expression on a very long line.
        if (line.Length > 4096 || line.IndexOf("qlio"u8) < 0 && line.IndexOf("QLIO"u8) < 0)
            return false;
        var match = GetCommandLineRegex().Match(SqlioLineScanner.Decode(line));
        if (!match.Success)
            return false;
        commandLine = match.Groups["line"].Value.Trim();
        return true;
    }

    public static bool ContainsCommandLine(string text) =>
        text.Split('\n').Take(200).Any(line => line.Length < 4096 && GetToolCommandLineRegex().IsMatch(line));

    public static bool ContainsParameterLine(string text) =>
        text.Split('\n').Take(50).Any(line => line.Length < 1024 && GetParameterLineRegex().IsMatch(line));

    private static bool StartsWith(ReadOnlySpan<byte> line, string start)
    {
        if (line.Length < start.Length)
            return false;
        for (var i = 0; i < start.Length; i++)
            if (char.ToLowerInvariant((char)line[i]) != char.ToLowerInvariant(start[i]))
                return false;
        return true;
    }

    private static bool IsSeparatorLine(ReadOnlySpan<byte> line)
    {
        foreach (var c in line)
            if (!"-=*_#~+.`"u8.Contains(c))
                return false;
        return true;
    }

    // No repetition starts with the text that can follow it, so that matching takes linear time.
    // The parts are a prompt up to ">", words that start programs, the program by name or path, and its first option.
    [GeneratedRegex(
        """
            ^(?:(?:PS\s)?[A-Za-z]:\\[^>]*>)?\s*@?(?:(?:call|start|/wait|/b|cmd|/c)\s+)*
            (?<line>(?:["“][^"“”]*?sqlio\d?(?:\.exe)?["”]|[^\s"“]*?\bsqlio\d?(?:\.exe)?
            |iobench(?:\.exe)?\s+(?:--(?:force|fill-volume|read-database)\s+|--(?:overwrite|erase-device)[ =]\S+\s+)*sqlio)\s+[-–—−].*)$
            """,
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.IgnorePatternWhitespace
    )]
    private static partial Regex GetCommandLineRegex();

    [GeneratedRegex(@"\b(sqlio|diskspd)(\.exe)?[""\u201D]?\s+[-\u2013/]\S", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    private static partial Regex GetToolCommandLineRegex();

    [GeneratedRegex(@"^\s*\S.*\s\d{1,3}\s+0x[0-9a-f]+(\s+\d+)?\s*(#.*)?$", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    private static partial Regex GetParameterLineRegex();
}
