namespace IoBench.Formats.DiskSpd.Reading;

/// <summary>Lines around DiskSpd's results: its errors, its verbose lines, the prompt it was called at.</summary>
internal static class DiskSpdMessages
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

    /// <summary>An error that DiskSpd writes to stderr.</summary>
    internal static bool IsError(ReadOnlySpan<char> line)
    {
        foreach (var beginning in s_errors)
        {
            if (line.StartsWith(beginning))
                return true;
        }
        return false;
    }

    /// <summary>A line of -v: <c>2026-11-21T05:55:04: creating thread 0</c>.</summary>
    internal static bool IsVerbose(ReadOnlySpan<char> line) =>
        line.Length > 21
        && line[4] == '-'
        && line[7] == '-'
        && line[10] == 'T'
        && line[13] == ':'
        && line[16] == ':'
        && line[19] == ':'
        && char.IsAsciiDigit(line[0]);

    /// <summary>The frame of a PowerShell transcript: its beginning and end, and what it says of the session.</summary>
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
        // End time: 20261121120000
        return (line.StartsWith("End time: ") || line.StartsWith("Start time: "))
            && line[(line.IndexOf(':') + 1)..].Trim() is { Length: 14 } time
            && time.IndexOfAnyExceptInRange('0', '9') < 0;
    }

    /// <summary>A prompt with a call of DiskSpd: <c>C:\test&gt;diskspd -d10 ...</c>.</summary>
    internal static bool IsPrompt(ReadOnlySpan<char> line)
    {
        var prompt = line.IndexOfAny('>', '$', '#');
        return prompt >= 0 && line[prompt..].Contains("diskspd", StringComparison.OrdinalIgnoreCase);
    }
}
