using IoBench.Engine;

namespace IoBench.Formats;

internal static class BatchToolCalls
{
    /// <summary>
    /// Finds the word that names SQLIO, DiskSpd, or fio, after words that start a program (call, start /wait, cmd /c, iobench).
    /// </summary>
    internal static bool TryFindTool(IReadOnlyList<string> words, out int start, out bool isParallel)
    {
        start = 0;
        isParallel = false;
        var name = ToolName.GetProgramName(words[0]).ToUpperInvariant();
        switch (name)
        {
            case "CALL":
                start = 1;
                break;
            case "CMD":
                start = FindOption(words, "/C") + 1;
                break;
            case "START":
                isParallel = FindOption(words, "/WAIT") == 0 && FindOption(words, "/W") == 0;
                start = SkipWords(words, w => w.Length == 0 || w[0] == '/' || w.Contains(' ', StringComparison.Ordinal) && !IsTool(w));
                break;
            case "IOBENCH":
                start = SkipWords(words, w => w.StartsWith('-'));
                break;
        }
        return start < words.Count && IsTool(words[start]);
    }

    internal static IReadOnlyList<IoTestSpecification> ParseTool(
        List<string> words,
        int start,
        string text,
        string? folder,
        out IReadOnlyList<string> notes
    )
    {
        notes = [];
        if (ToolName.IsSqlio(words[start]))
        {
            if (SqlioCommandLine.IsUsageRequested(words.Skip(start + 1).ToList()))
                throw IoBenchException.Usage("IoBench.InvalidCommandLine", "sqlio: this call asks for help and runs no test.");
            var specification = SqlioCommandLine.ParseLine(text, folder);
            notes = specification.GetOrAddOrigin().Sqlio?.Note is { } note ? [note] : [];
            return [specification];
        }
        if (ToolName.IsFio(words[start]))
        {
            var tests = FioCommandLine.ParseLine(text, folder).ThrowIfRefused();
            notes = tests.Notes;
            return tests.Specifications;
        }
        var call = DiskSpdCommandLine.ParseLine(text, folder);
        notes = call.Notes;
        if (call.ShowsUsage)
            throw IoBenchException.Usage("IoBench.InvalidCommandLine", "diskspd: this call asks for help and runs no test.");
        return call.ProfileOnly || call.SystemOnly
            ? throw IoBenchException.Usage(
                "IoBench.InvalidCommandLine",
                "diskspd: this call (-Rp, -Rs) shows a profile or the computer and runs no test."
            )
            : call.Specifications;
    }

    internal static bool IsTool(string word) => ToolName.IsDiskSpd(word) || ToolName.IsSqlio(word) || ToolName.IsFio(word);

    private static int FindOption(IReadOnlyList<string> words, string option)
    {
        for (var i = 1; i < words.Count; i++)
        {
            if (words[i].Equals(option, StringComparison.OrdinalIgnoreCase))
                return i;
            if (IsTool(words[i]))
                return 0;
        }
        return 0;
    }

    private static int SkipWords(IReadOnlyList<string> words, Func<string, bool> isPassed)
    {
        var i = 1;
        // The first argument of start can be a title. Without its quotation marks, nothing distinguishes a title from a program.
        while (i < words.Count && (isPassed(words[i]) || (i == 1 && !IsTool(words[i]))))
            i++;
        return i;
    }
}
