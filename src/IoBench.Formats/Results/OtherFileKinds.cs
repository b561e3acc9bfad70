namespace IoBench.Formats;

/// <summary>Kinds of files that are often in a folder of results, but have none.</summary>
internal static class OtherFileKinds
{
    /// <summary>Returns the kind of a file, as the reason why it is skipped.</summary>
    internal static string Describe(in FileHead head) =>
        head.Bytes.Length == 0 || head.Text.AsSpan().IsWhiteSpace() ? "empty"
        : head.IsBinary ? "not text"
        : FindKnown(head.Text) ?? "not an output of a known tool";

    /// <summary>Returns the kind of a file that looks like an output of a tool; null if it can have results.</summary>
    internal static string? DescribeToolFile(string text) =>
        IsHelp(text) ? "help text"
        : IsProfile(text) ? "DiskSpd profile"
        : null;

    private static string? FindKnown(string text) =>
        CommandLineReader.FindFioTemplateLanguage(text) is not null ? "template"
        : IsProfile(text) ? "DiskSpd profile"
        : CommandLineReader.IsFioJobFile(text) ? "fio job file"
        : text.Contains("num_of_bytes_read", StringComparison.OrdinalIgnoreCase) ? "file statistics"
        : ContainsCall(text) ? "command lines only"
        : SqlioSurroundingLines.ContainsParameterLine(text) ? "SQLIO parameter file"
        : null;

    private static bool IsHelp(string text) =>
        text.Contains("Usage: ", StringComparison.Ordinal)
        && text.Contains("diskspd", StringComparison.OrdinalIgnoreCase)
        && text.Contains("-Sh", StringComparison.Ordinal)
        && DiskSpdFormat.FindFirstHeading(text) == int.MaxValue;

    private static bool IsProfile(string text) => DiskSpdProfile.LooksLike(text) && !text.Contains("<Results>", StringComparison.Ordinal);

    private static bool ContainsCall(string text)
    {
        if (SqlioSurroundingLines.ContainsCommandLine(text))
            return true;
        foreach (var line in text.AsSpan().EnumerateLines())
        {
            var at = line.IndexOf("fio ");
            if (at >= 0 && (at == 0 || line[at - 1] is ' ' or '/') && line[at..].IndexOf(" --") > 0)
                return true;
        }
        return false;
    }
}
