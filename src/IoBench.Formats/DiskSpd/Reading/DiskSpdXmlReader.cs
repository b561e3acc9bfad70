using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads DiskSpd's XML (2.0 to 2.3), which can be malformed. Refuses document types, and resolves no external entities.</summary>
public static class DiskSpdXmlReader
{
    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        // Most texts have no element at all, so the cheap check comes first.
        if (!head.Contains('<'))
            return false;
        var results = head.IndexOf("<Results>", StringComparison.Ordinal);
        return results >= 0
            ? head.AsSpan(results).IndexOf("<System>") >= 0
                || head.AsSpan(results).IndexOf("<Profile>") >= 0
                || head.AsSpan(results).IndexOf("<TimeSpan>") >= 0
            : head.Contains("<Profile>", StringComparison.Ordinal) && head.Contains("<TimeSpan", StringComparison.Ordinal);
    }

    /// <summary>Reads the results one at a time. Only the threads of one document are in memory.</summary>
    /// <exception cref="IoBenchException">Thrown during enumeration: no results, not DiskSpd's XML, or refused XML.</exception>
    public static IEnumerable<IoTestResult> Read(TextReader reader, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return ReadAll(reader, sourceFile);
    }

    private static IEnumerable<IoTestResult> ReadAll(TextReader reader, string? sourceFile)
    {
        var input = new DiskSpdXmlInput(new DiskSpdXmlText(reader, sourceFile), sourceFile);
        var found = false;
        var profile = false;
        while (input.MoveToElement())
        {
            profile |= input.Name == "Profile";
            if (input.Name != "Results")
                continue;
            found = true;
            var run = new DiskSpdXmlParser(input).ReadRun();
            if (run.Timespans.Count == 0)
                yield return DiskSpdResultBuilder.CreateResult(run, null, sourceFile);
            foreach (var span in run.Timespans)
                yield return DiskSpdResultBuilder.CreateResult(run, span, sourceFile);
        }
        if (!found)
            throw CreateNoResultsError(input.HasText, profile, sourceFile);
    }

    private static IoBenchException CreateNoResultsError(bool sawText, bool profile, string? sourceFile)
    {
        var name = sourceFile is null ? "The text" : $"'{sourceFile}'";
        if (!sawText)
            return IoBenchException.InvalidData(
                "IoBench.EmptyFile",
                $"{name} is empty. The DiskSpd run failed, or its output went elsewhere.",
                sourceFile
            );
        return profile
            ? IoBenchException.InvalidData(
                ErrorIds.NoResults,
                $"{name} is a DiskSpd profile, not a result. Convert it, or run it.",
                sourceFile
            )
            : IoBenchException.InvalidData(
                "IoBench.UnknownFormat",
                $"{name} is not a DiskSpd XML output, because <Results> is missing.",
                sourceFile
            );
    }
}
