namespace IoBench.Formats.DiskSpd.Reading;

/// <summary>
/// Reads DiskSpd's XML output (-Rxml) of the versions 2.0 to 2.3: one result per timespan, any number of documents in one text.
/// DiskSpd escapes nothing, so its XML may be ill-formed; a document type is refused, no external entity is ever resolved.
/// </summary>
public static class DiskSpdXmlReader
{
    /// <summary>Whether a text that begins so is DiskSpd's XML. Some kilobytes are enough.</summary>
    /// <param name="head">The beginning of the text.</param>
    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        // Most texts have no element at all, and are gone through once only.
        if (!head.Contains('<'))
            return false;
        var results = head.IndexOf("<Results>", StringComparison.Ordinal);
        return results >= 0
            ? head.AsSpan(results).IndexOf("<System>") >= 0
                || head.AsSpan(results).IndexOf("<Profile>") >= 0
                || head.AsSpan(results).IndexOf("<TimeSpan>") >= 0
            : head.Contains("<Profile>", StringComparison.Ordinal) && head.Contains("<TimeSpan", StringComparison.Ordinal);
    }

    /// <summary>Reads the results in a text, one after the other; memory holds one document's threads at a time.</summary>
    /// <param name="sourceFile">Name of the text, for the results and for messages; null = none.</param>
    /// <returns>The results in the order of the text.</returns>
    /// <exception cref="IoBenchException"><c>IoBench.EmptyFile</c>: nothing is in it; <c>IoBench.NoResults</c>: a profile, not a result;
    /// <c>IoBench.UnknownFormat</c>: no <c>Results</c> element; <c>IoBench.InvalidXml</c>: a document type, or too deep. Thrown when the reading has come so far.</exception>
    public static IEnumerable<IoTestResult> Read(TextReader reader, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return ReadAll(reader, sourceFile);
    }

    private static IEnumerable<IoTestResult> ReadAll(TextReader reader, string? sourceFile)
    {
        var scanner = new XmlScanner(reader, sourceFile);
        var found = false;
        var profile = false;
        while (scanner.Read() is var piece && piece != XmlPiece.EndOfText)
        {
            if (piece != XmlPiece.Start)
                continue;
            profile |= scanner.Name == "Profile";
            if (scanner.Name != "Results")
                continue;
            found = true;
            var run = new ResultParser(scanner).Read();
            if (run.Spans.Count == 0)
                yield return ResultBuilder.Build(run, null, sourceFile);
            foreach (var span in run.Spans)
                yield return ResultBuilder.Build(run, span, sourceFile);
        }
        if (!found)
            throw NoResults(scanner.SawText, profile, sourceFile);
    }

    private static IoBenchException NoResults(bool sawText, bool profile, string? sourceFile)
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
