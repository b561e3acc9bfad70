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
        "error during ",
        "File pointer improperly moved",
        "Improperly written data",
        "Memory mapped I/O is not supported",
        "Waiting for a signal to start failed",
        "You have to provide a filename",
        "Unable to create an abort event",
        "unable to create IO completion port",
    ];

    private static readonly string[] s_failures =
    [
        LastError,
        "There has been an error during threads execution",
        "error during overlapped IO operation (error code: ",
        "Error setting end of file (error code: ",
        "Error while writng during file creation (error code: ",
        "Error opening file: ",
        "Could not create the file (error code: ",
        "Could not set file pointer during file creation",
        "ERROR: target size could not be determined",
        "ERROR: Could not obtain drive geometry",
        "ERROR: Could not allocate a buffer for target",
        "ERROR: need to provide at least one filename",
        "ERROR: incorrectly provided option: '",
        "ERROR: invalid option: '",
        "ERROR: -F and -t ",
    ];

    /// <summary>DiskSpd's last line on standard error if a run fails.</summary>
    internal const string LastError = "Error generating I/O requests";

    /// <summary>Returns whether the text has an error line that only DiskSpd prints, or a call of DiskSpd and an error line below
    /// it.</summary>
    internal static bool ContainsFailure(string head)
    {
        var hasCall = false;
        foreach (var untrimmed in head.AsSpan().EnumerateLines())
        {
            var line = RemovePowerShellPrefix(untrimmed.Trim());
            if (line.IsEmpty)
                continue;
            if (StartsWithFailure(line) || IsThreadError(line))
                return true;
            if (hasCall && line.StartsWith("ERROR: "))
                return true;
            hasCall = TryGetCall(line, out _);
        }
        return false;
    }

    /// <summary>Windows PowerShell prints the first line of stderr after the name of the program: <c>diskspd.exe : Error …</c></summary>
    internal static ReadOnlySpan<char> RemovePowerShellPrefix(ReadOnlySpan<char> line)
    {
        const string separator = " : ";
        var at = line.IndexOf(separator);
        return
            at > 0
            && (
                line[..at].EndsWith("diskspd.exe", StringComparison.OrdinalIgnoreCase)
                || line[..at].EndsWith("diskspd", StringComparison.OrdinalIgnoreCase)
            )
            ? line[(at + separator.Length)..].TrimStart()
            : line;
    }

    private static bool StartsWithFailure(ReadOnlySpan<char> line)
    {
        foreach (var beginning in s_failures)
        {
            if (line.StartsWith(beginning))
                return true;
        }
        return false;
    }

    /// <summary>Example: t[0] error during write error code: 5)</summary>
    private static bool IsThreadError(ReadOnlySpan<char> line) =>
        (line.StartsWith("t[") && line.IndexOf("] error during ") > 0)
        || (line.StartsWith("Thread ") && line.IndexOf(" failed executing an I/O operation ") > 0);

    /// <summary>Gets the command line of a line with DiskSpd's name and an option, with or without a prompt.</summary>
    internal static bool TryGetCall(ReadOnlySpan<char> line, out string call)
    {
        call = "";
        if (line.Length > 4096 || line.IndexOf(" -") < 0 || !line.Contains("diskspd", StringComparison.OrdinalIgnoreCase))
            return false;
        var text = ToolName.RemovePrompt(line.ToString());
        var words = CommandLineSplitter.Split(text);
        if (words.Count < 2 || !ToolName.TryFindTool(words, out var start, out _) || !ToolName.IsDiskSpd(words[start]))
            return false;
        call = text.Trim();
        return true;
    }

    internal static bool IsError(ReadOnlySpan<char> line)
    {
        foreach (var beginning in s_errors)
        {
            if (line.StartsWith(beginning))
                return true;
        }
        return IsThreadError(line);
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
