using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Reads outputs of fio 2 and 3: JSON, json+, terse lines (versions 2 to 5), and normal text, in any number and order. Writes one document
/// of fio's JSON with a job per result (json+ if a result has a histogram).
/// </summary>
public static class FioFormat
{
    public const string Source = "Fio";

    internal static FormatDescriptor Descriptor { get; } =
        new()
        {
            Name = "fio's output",
            Tool = "fio",
            Source = Source,
            Extensions = [".json", ".txt", ".out", ".log"],
            LooksLike = LooksLike,
            ReadBytes = Read,
            WrittenAs = ResultFormat.Fio,
            OptionName = "fio",
            Write = Write,
        };

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
                $"{name} ends before the first job result: {(session.FirstError is { } error ? $"fio reported '{error}'" : "fio was stopped, or its results were written to another file")}.",
                sourceFile
            )
            : IoBenchException.InvalidData(
                "IoBench.UnknownFormat",
                $"{name} is not fio output, because it contains neither JSON with a fio version, nor a line in fio terse format, nor job results.",
                sourceFile
            );
    }

    /// <summary>fio version whose JSON layout is written: the first version with the start time of each job.</summary>
    private const string Version = "3.36";

    private const int MaxDevices = 64;

    public static void Write(TextWriter writer, IEnumerable<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        var json = new FioJsonWriter(writer);
        var devices = new List<string>();
        var count = 0;
        json.BeginObject();
        foreach (var result in results)
        {
            if (count == 0)
                WriteHeader(json, result);
            FioJobWriter.WriteJob(json, result, count++);
            if (result.Device is { Length: > 0 } device && devices.Count < MaxDevices && !devices.Contains(device))
                devices.Add(device);
        }
        if (count == 0)
            WriteHeader(json, null);
        json.EndArray();
        if (devices.Count > 0)
            WriteDevices(json, devices);
        json.EndObject();
        writer.Write('\n');
    }

    private static void WriteHeader(FioJsonWriter json, IoTestResult? first)
    {
        var version = first is { Source: Source, ToolVersion: { } own } ? own : Version;
        json.WriteText("fio version", "fio-" + version);
        if (first?.StartTime is { } start)
        {
            var end = start.ToUniversalTime().AddSeconds(Math.Clamp(first.DurationSeconds ?? 0, 0, 1e9));
            json.WriteInteger("timestamp", end.ToUnixTimeSeconds());
            json.WriteInteger("timestamp_ms", end.ToUnixTimeMilliseconds());
            json.WriteText("time", end.ToString("ddd MMM d HH:mm:ss yyyy", System.Globalization.CultureInfo.InvariantCulture));
        }
        json.BeginObject("global options");
        json.EndObject();
        json.BeginArray("jobs");
    }

    private static void WriteDevices(FioJsonWriter json, List<string> devices)
    {
        json.BeginArray("disk_util");
        foreach (var device in devices)
        {
            json.BeginObject();
            json.WriteText("name", device);
            json.EndObject();
        }
        json.EndArray();
    }

    /// <summary>Object of a job with values of IoBench. Options that it does not list do not have fio's defaults.</summary>
    internal const string IoBenchObject = "iobench";

    internal const string LoadModelField = "load model";
}
