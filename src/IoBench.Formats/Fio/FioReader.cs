namespace IoBench.Formats.Fio;

/// <summary>
/// Reads fio's outputs of the versions 2 and 3: JSON and json+, terse lines (versions 2 to 5) and the text for people, any number of them in one text, with
/// what fio prints before and between them. One result per job, or per group of jobs where fio reports them as one.
/// </summary>
public static class FioReader
{
    /// <summary>Whether a text that begins so is fio's. Some kilobytes are enough.</summary>
    /// <param name="head">The beginning of the text.</param>
    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        // A job whose data is wrong or that fails says so thousands of times before its results.
        return head.Contains("\"fio version\"", StringComparison.Ordinal)
            || HoldsBlock(head)
            || HoldsTerseLine(head)
            || head.StartsWith("fio: ", StringComparison.Ordinal)
            || FioSession.SaysDataIsWrong(head.AsSpan(0, Math.Max(0, head.AsSpan().IndexOfAny('\r', '\n'))));
    }

    private static bool HoldsBlock(string head)
    {
        // A job announced before its run, or its results: the two lines that every text for people has.
        foreach (var (mark, second) in ((string, string)[])[(": (groupid=", "err="), (": (g=", "rw=")])
        {
            for (var at = head.IndexOf(mark, StringComparison.Ordinal); at >= 0; at = head.IndexOf(mark, at + 1, StringComparison.Ordinal))
            {
                var rest = head.AsSpan(at);
                var end = rest.IndexOfAny('\r', '\n');
                if ((end < 0 ? rest : rest[..end]).IndexOf(second) > 0)
                    return true;
            }
        }
        return false;
    }

    private static bool HoldsTerseLine(string head)
    {
        foreach (var line in head.AsSpan().EnumerateLines())
        {
            if (FioTerseParser.IsLine(line))
                return true;
        }
        return false;
    }

    /// <summary>Reads the results in a text, one after the other; memory holds one run at a time.</summary>
    /// <param name="stream">The text in any encoding; the stream must be able to seek.</param>
    /// <param name="sourceFile">Its name, for the results and for messages; null = none.</param>
    /// <returns>The results in the order of the text.</returns>
    /// <exception cref="IoBenchException"><c>IoBench.UnknownFormat</c>: it holds none of fio's outputs; <c>IoBench.NoResults</c>: the output ends before any job's figures.
    /// Thrown when the reading has come so far.</exception>
    public static IEnumerable<IoTestResult> Read(Stream stream, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return ReadAll(stream, sourceFile);
    }

    private static IEnumerable<IoTestResult> ReadAll(Stream stream, string? sourceFile)
    {
        var session = new FioSession(new FioSource(TextInput.OpenUtf8(stream)), sourceFile);
        var found = false;
        while (session.Step())
        {
            while (session.TryTake(out var result))
            {
                found = true;
                yield return result;
            }
        }
        session.End();
        while (session.TryTake(out var result))
        {
            found = true;
            yield return result;
        }
        if (!found)
            throw NoResults(session, sourceFile);
    }

    private static IoBenchException NoResults(FioSession session, string? sourceFile)
    {
        var name = sourceFile is null ? "The text" : $"'{sourceFile}'";
        return session.SawFio
            ? IoBenchException.InvalidData(
                ErrorIds.NoResults,
                $"{name} ends before the figures of any job: {(session.FirstError is { } error ? $"fio said '{error}'" : "fio was stopped, or its output went elsewhere")}.",
                sourceFile
            )
            : IoBenchException.InvalidData(
                "IoBench.UnknownFormat",
                $"{name} is not fio's output: it holds no JSON with a fio version, no terse line and no job's results.",
                sourceFile
            );
    }
}
