using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Reads the XML output (-Rxml) of DiskSpd 2.0 to 2.3, one result per timespan, any number of documents in one text. DiskSpd does not
/// escape values, so its XML can
/// be malformed. A document type declaration is refused, and external entities are never resolved.
/// </summary>
public static class DiskSpdXmlReader
{
    /// <summary>Tests whether a text is DiskSpd's XML. The first few kilobytes are sufficient.</summary>
    /// <param name="head">Beginning of the text.</param>
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
    /// <param name="sourceFile">Name of the text, for results and messages; null if there is none.</param>
    /// <returns>The results in the order of the text.</returns>
    /// <exception cref="IoBenchException"><c>IoBench.EmptyFile</c>: the text is empty. <c>IoBench.NoResults</c>: the text is a profile.
    /// <c>IoBench.UnknownFormat</c>: the text has no <c>Results</c> element. <c>IoBench.InvalidXml</c>: a document type declaration, or
    /// elements nested too deep. Thrown during enumeration.</exception>
    public static IEnumerable<IoTestResult> Read(TextReader reader, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return ReadAll(reader, sourceFile);
    }

    private static IEnumerable<IoTestResult> ReadAll(TextReader reader, string? sourceFile)
    {
        var scanner = new DiskSpdXmlScanner(reader, sourceFile);
        var found = false;
        var profile = false;
        while (scanner.Read() is var piece && piece != XmlTagKind.EndOfText)
        {
            if (piece != XmlTagKind.Start)
                continue;
            profile |= scanner.Name == "Profile";
            if (scanner.Name != "Results")
                continue;
            found = true;
            var run = new DiskSpdXmlParser(scanner).ReadRun();
            if (run.Timespans.Count == 0)
                yield return DiskSpdResultBuilder.CreateResult(run, null, sourceFile);
            foreach (var span in run.Timespans)
                yield return DiskSpdResultBuilder.CreateResult(run, span, sourceFile);
        }
        if (!found)
            throw CreateNoResultsError(scanner.HasText, profile, sourceFile);
    }

    private static IoBenchException CreateNoResultsError(bool sawText, bool profile, string? sourceFile)
    {
        var name = sourceFile is null ? "The text" : $"'{sourceFile}'";
        if (!sawText)
            return IoBenchException.InvalidData(
                "IoBench.EmptyFile",
                $"{name} is empty: the DiskSpd run that should have written it failed, or wrote elsewhere.",
                sourceFile
            );
        return profile
            ? IoBenchException.InvalidData(
                ErrorIds.NoResults,
                $"{name} is a DiskSpd profile, not a result: convert it to specifications, or run it.",
                sourceFile
            )
            : IoBenchException.InvalidData("IoBench.UnknownFormat", $"{name} is not DiskSpd's XML: it has no <Results>.", sourceFile);
    }
}
