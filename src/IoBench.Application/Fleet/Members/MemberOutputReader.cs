using System.Text;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Reads the output files of members, in any number and order.</summary>
public static class MemberOutputReader
{
    /// <summary>Number of results above which only the parts that the summary needs stay in memory.</summary>
    public const int MaxCompleteResults = 1_000;

    public static FleetResult ReadResults(IReadOnlyList<string> files, int keptWhole = MaxCompleteResults)
    {
        ArgumentNullException.ThrowIfNull(files);
        var found = new MemberOutput();
        var slim = files.Count * GetTestCount(files) > keptWhole ? new ResultTrimmer() : null;
        // Read several files in parallel, because reading takes most of the time.
        BoundedParallel.ForEach(
            files,
            Math.Clamp(Environment.ProcessorCount, 1, 4),
            file =>
            {
                var one = new MemberOutput();
                ReadResults(file, one, result => slim?.Trim(result));
                lock (found)
                    found.Add(one);
            }
        );
        if (found.Results.Count + found.Failures.Count == 0)
            throw IoBenchException.NotFound(FleetErrorIds.NoFleet, $"no member has written to {NumberFormat.List(files, 3)}.");
        foreach (var key in found.Results.Keys)
            found.Failures.Remove(key);
        List<FleetFailure> failures = [.. found.Failures.Values];
        var groups = FleetMerge.FindGroups(found.Results.Values, failures);
        foreach (var group in groups)
            FleetMerge.SetGroupValues(group);
        List<IoTestResult> results =
        [
            .. found
                .Results.Values.OrderBy(result => result.GroupId, NaturalNameComparer.Instance)
                .ThenBy(result => result.Member, NaturalNameComparer.Instance),
        ];
        return new FleetResult(results, failures, groups, ScalingCurve.Find(groups), false, true)
        {
            Whole = ReadCompleteResults(files, results),
        };
    }

    private static IEnumerable<IoTestResult> ReadCompleteResults(IReadOnlyList<string> files, IReadOnlyList<IoTestResult> slim)
    {
        var known = slim.ToDictionary(result => (result.Member!, result.GroupId!));
        foreach (var file in files)
        {
            var one = new MemberOutput();
            ReadResults(file, one, _ => { });
            foreach (var (key, result) in one.Results)
                if (known.Remove(key, out var marked))
                {
                    result.CommonWindowPercent = marked.CommonWindowPercent;
                    result.GroupMembers = marked.GroupMembers;
                    yield return result;
                }
        }
    }

    private static int GetTestCount(IReadOnlyList<string> files) =>
        files
            .Select(file => MemberOutputReader.ReadMessages(file).Select(item => item.Message.Count).FirstOrDefault())
            .FirstOrDefault(count => count is not null)
        ?? 1;

    private static void ReadResults(string file, MemberOutput found, Action<IoTestResult> took)
    {
        var name = Path.GetFileNameWithoutExtension(file);
        MemberMessage? hello = null;
        var hasEnded = false;
        foreach (var (message, result) in MemberOutputReader.ReadMessages(file))
        {
            hello = message.State == MemberMessageKind.Hello ? message : hello;
            hasEnded = message.State == MemberMessageKind.End || (hasEnded && message.State != MemberMessageKind.Hello);
            var member = message.Member ?? name;
            var group = message.Group ?? "";
            if (message is { State: MemberMessageKind.Done, Test: { } done } && result is not null)
            {
                result.Member = member;
                result.GroupId = GroupId.ForTest(group, done);
                if (found.Results.TryAdd((member, result.GroupId), result))
                    took(result);
            }
            else if (message is { State: MemberMessageKind.Failed, Test: { } failed })
            {
                var id = GroupId.ForTest(group, failed);
                found.Failures.TryAdd(
                    (member, id),
                    new FleetFailure(
                        member,
                        id,
                        message.ErrorId ?? ErrorIds.TestFailed,
                        message.GetText() ?? "it failed.",
                        message.GetAdvice()
                    )
                );
            }
        }
        // Report the tests of a member whose file is incomplete, so that its host is not missing from the summary.
        for (var test = 1; !hasEnded && test <= (hello?.Count ?? 0); test++)
        {
            var id = GroupId.ForTest(hello!.Group ?? "", test);
            if (!found.Results.ContainsKey((hello.Member ?? name, id)))
                found.Failures.TryAdd(
                    (hello.Member ?? name, id),
                    new FleetFailure(hello.Member ?? name, id, FleetErrorIds.HostLost, "its file ends before the result of this test.")
                );
        }
    }

    private sealed class MemberOutput
    {
        public Dictionary<(string, string), IoTestResult> Results { get; } = [];
        public Dictionary<(string, string), FleetFailure> Failures { get; } = [];

        public void Add(MemberOutput other)
        {
            foreach (var (key, result) in other.Results)
                Results.TryAdd(key, result);
            foreach (var (key, failure) in other.Failures)
                Failures.TryAdd(key, failure);
        }
    }

    private const int InitialBufferSize = 1 << 18;

    /// <summary>Lines stay bytes, because as text and as a JSON tree a line with a result would take three times the memory.</summary>
    internal static IEnumerable<(MemberMessage Message, IoTestResult? Result)> ReadMessages(string path)
    {
        using var stream = InputFiles.Open(path);
        using var lines = new ByteLineReader(stream, InitialBufferSize);
        if (ConvertReadErrors(path, () => IsUtf16(lines)))
        {
            // Redirection (>) in Windows PowerShell writes UTF-16.
            foreach (var line in InputFiles.ReadLines(path))
                if (ParseLine(Encoding.UTF8.GetBytes(line)) is { } message)
                    yield return message;
            yield break;
        }
        while (ConvertReadErrors(path, lines.ReadLine) is { } line)
            if (ParseLine(line.Span) is { } found)
                yield return found;
    }

    private static (MemberMessage, IoTestResult?)? ParseLine(ReadOnlySpan<byte> line) =>
        FleetMessageSerializer.SplitResult(line) is not { } found
            ? null
            : (found.Message, found.Result is { } place ? JsonResultSerializer.DeserializeResult(line[place]) : null);

    private static bool IsUtf16(ByteLineReader lines)
    {
        lines.ReadMore();
        var begin = lines.Buffered[..Math.Min(lines.Buffered.Length, 2)];
        if (lines.Buffered.StartsWith(Encoding.UTF8.Preamble))
            lines.SkipBytes(Encoding.UTF8.Preamble.Length);
        return begin.SequenceEqual(Encoding.Unicode.Preamble) || begin.SequenceEqual(Encoding.BigEndianUnicode.Preamble);
    }

    private static T ConvertReadErrors<T>(string path, Func<T> read)
    {
        try
        {
            return read();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw InputFiles.CreateReadError(path, e);
        }
    }
}
