using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads outputs of fio 2 and 3: JSON, json+, terse lines (versions 2 to 5), and normal text, in any number and order.</summary>
public static class FioReader
{
    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        // A job with wrong data or I/O errors can print thousands of messages before its results, so such a message is enough.
        return head.Contains("\"fio version\"", StringComparison.Ordinal)
            || ContainsJobBlock(head)
            || ContainsTerseLine(head)
            || head.StartsWith("fio: ", StringComparison.Ordinal)
            || ContainsFailure(head)
            || FioOutputParser.IsVerificationError(head.AsSpan(0, Math.Max(0, head.AsSpan().IndexOfAny('\r', '\n'))));
    }

    private static bool ContainsJobBlock(string head)
    {
        // The two lines that every normal output has: a job that is announced before its run, and the first line of its results.
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

    private static bool ContainsFailure(string head)
    {
        for (
            var at = head.IndexOf("fio: ", StringComparison.Ordinal);
            at >= 0;
            at = head.IndexOf("fio: ", at + 5, StringComparison.Ordinal)
        )
        {
            var line = head.AsSpan(at);
            var end = line.IndexOfAny('\r', '\n');
            if ((at == 0 || head[at - 1] is '\r' or '\n' or '\uFEFF') && FioOutputParser.IsFailure(end < 0 ? line : line[..end]))
                return true;
        }
        return false;
    }

    private static bool ContainsTerseLine(string head)
    {
        foreach (var line in head.AsSpan().EnumerateLines())
        {
            if (FioTerseParser.IsTerseLine(line))
                return true;
        }
        return false;
    }

    /// <param name="stream">The text in any encoding; the stream must support seeking.</param>
    /// <exception cref="IoBenchException">Thrown while enumerating: the text is not fio's output, or it has no results.</exception>
    public static IEnumerable<IoTestResult> Read(Stream stream, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return ReadAll(stream, sourceFile);
    }

    private static IEnumerable<IoTestResult> ReadAll(Stream stream, string? sourceFile)
    {
        var session = new FioOutputParser(new FioTokenizer(TextInput.OpenUtf8(stream)), sourceFile);
        var found = false;
        while (session.ReadNext())
        {
            while (session.TryDequeueResult(out var result))
            {
                found = true;
                yield return result;
            }
        }
        session.EndText();
        while (session.TryDequeueResult(out var result))
        {
            found = true;
            yield return result;
        }
        if (!found)
            yield return session.CreateFailedResult() ?? throw CreateNoResultsError(session, sourceFile);
    }

    private static IoBenchException CreateNoResultsError(FioOutputParser session, string? sourceFile)
    {
        var name = sourceFile is null ? "The text" : $"'{sourceFile}'";
        return session.HasFioOutput
            ? IoBenchException.InvalidData(
                ErrorIds.NoResults,
                $"{name} ends before the first job result: {(session.FirstError is { } error ? $"fio reported '{error}'" : "fio was stopped, or its output went elsewhere")}.",
                sourceFile
            )
            : IoBenchException.InvalidData(
                "IoBench.UnknownFormat",
                $"{name} is not a fio output, because it contains no JSON with a fio version, no terse line, and no job results.",
                sourceFile
            );
    }
}
