namespace IoBench.Formats;

internal static class DiskSpdLogLines
{
    private static readonly string[] s_errors =
    [
        "ERROR",
        "Error ",
        "FATAL ERROR",
        "There has been an error",
        "The file is too small",
        "Failed to ",
        "Could not ",
        "Cannot ",
    ];

    internal static bool IsError(ReadOnlySpan<char> line)
    {
        foreach (var beginning in s_errors)
        {
            if (line.StartsWith(beginning))
                return true;
        }
        return false;
    }

    internal static bool IsVerbose(ReadOnlySpan<char> line) =>
        line.Length > 21
        && line[4] == '-'
        && line[7] == '-'
        && line[10] == 'T'
        && line[13] == ':'
        && line[16] == ':'
        && line[19] == ':'
        && char.IsAsciiDigit(line[0]);

    internal static bool IsTranscript(ReadOnlySpan<char> line)
    {
        if (
            line.EndsWith("PowerShell transcript start")
            || line.EndsWith("PowerShell transcript end")
            || line.StartsWith("Transcript started, output file is ")
            || line.StartsWith("Transcript stopped, output file is ")
            || line.EndsWith("> stop-transcript", StringComparison.OrdinalIgnoreCase)
        )
            return true;
        // Example: End time: 20261121120000
        return (line.StartsWith("End time: ") || line.StartsWith("Start time: "))
            && line[(line.IndexOf(':') + 1)..].Trim() is { Length: 14 } time
            && time.IndexOfAnyExceptInRange('0', '9') < 0;
    }

    internal static bool IsPrompt(ReadOnlySpan<char> line)
    {
        var prompt = line.IndexOfAny('>', '$', '#');
        return prompt >= 0 && line[prompt..].Contains("diskspd", StringComparison.OrdinalIgnoreCase);
    }
}
