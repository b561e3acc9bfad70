using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Reads the output files of members, in any number and order.</summary>
public static class FleetFiles
{
    /// <summary>
    /// Maximum number of results that stay in memory with all their details. If there are more, only the parts that the summary needs stay
    /// in memory.
    /// </summary>
    public const int KeptWhole = 1_000;

    /// <summary>Reads the results and failures of output files.</summary>
    /// <param name="failures">Hosts without an output file.</param>
    /// <param name="keptWhole">Maximum number of results that stay in memory with all their details.</param>
    /// <exception cref="IoBenchException">A file cannot be read.</exception>
    public static FleetAnswer Read(IReadOnlyList<string> files, IReadOnlyList<FleetFailure>? failures = null, int keptWhole = KeptWhole)
    {
        ArgumentNullException.ThrowIfNull(files);
        var found = new Found();
        var slim = files.Count * TestsOf(files) > keptWhole ? new SlimResult() : null;
        // Read several files in parallel, because reading takes most of the time.
        AtOnce.Do(
            files,
            Math.Clamp(Environment.ProcessorCount, 1, 4),
            file =>
            {
                var one = new Found();
                Read(file, one, result => slim?.Make(result));
                lock (found)
                    found.Add(one);
            }
        );
        if (found.Results.Count + found.Failures.Count == 0 && failures is null or { Count: 0 })
            throw IoBenchException.NotFound(FleetErrors.NoFleet, $"no member has printed anything into {NameList.Of(files, 3)}.");
        foreach (var key in found.Results.Keys)
            found.Failures.Remove(key);
        // The file of a member that still runs is incomplete. Do not report that as an error, because the caller already reports the
        // member.
        var known = (failures ?? []).Select(failure => failure.Host).ToHashSet(StringComparer.Ordinal);
        var lost = found
            .Failures.Values.Where(failure => failure.ErrorId != FleetErrors.HostLost || !known.Contains(failure.Host))
            .Concat(failures ?? [])
            .ToList();
        var groups = FleetMerge.Find(found.Results.Values, lost);
        foreach (var group in groups)
            FleetMerge.Mark(group);
        List<IoTestResult> results =
        [
            .. found
                .Results.Values.OrderBy(result => result.GroupId, NameOrder.Instance)
                .ThenBy(result => result.Member, NameOrder.Instance),
        ];
        return new FleetAnswer(results, lost, groups, FleetRamp.Find(groups), false, true) { Whole = Whole(files, results) };
    }

    private static IEnumerable<IoTestResult> Whole(IReadOnlyList<string> files, IReadOnlyList<IoTestResult> slim)
    {
        var known = slim.ToDictionary(result => (result.Member!, result.GroupId!));
        foreach (var file in files)
        {
            var one = new Found();
            Read(file, one, _ => { });
            foreach (var (key, result) in one.Results)
                if (known.Remove(key, out var marked))
                {
                    (result.CommonWindowPercent, result.GroupMembers) = (marked.CommonWindowPercent, marked.GroupMembers);
                    yield return result;
                }
        }
    }

    private static int TestsOf(IReadOnlyList<string> files) =>
        files
            .Select(file => FleetFileReader.Read(file).Select(item => item.Message.Count).FirstOrDefault())
            .FirstOrDefault(count => count is not null)
        ?? 1;

    private static void Read(string file, Found found, Action<IoTestResult> took)
    {
        var name = Path.GetFileNameWithoutExtension(file);
        FleetMessage? hello = null;
        var hasEnded = false;
        foreach (var (message, result) in FleetFileReader.Read(file))
        {
            (hello, hasEnded) = (
                message.State == FleetState.Hello ? message : hello,
                message.State == FleetState.End || (hasEnded && message.State != FleetState.Hello)
            );
            var (member, group) = (message.Member ?? name, message.Group ?? "");
            if (message is { State: FleetState.Done, Test: { } done } && result is not null)
            {
                (result.Member, result.GroupId) = (member, FleetIds.OfTest(group, done));
                if (found.Results.TryAdd((member, result.GroupId), result))
                    took(result);
            }
            else if (message is { State: FleetState.Failed, Test: { } failed })
            {
                var id = FleetIds.OfTest(group, failed);
                found.Failures.TryAdd(
                    (member, id),
                    new FleetFailure(
                        member,
                        id,
                        message.ErrorId ?? ErrorIds.TestFailed,
                        message.Words() ?? "it failed.",
                        message.AdviceWords()
                    )
                );
            }
        }
        // Report the tests of a member whose file is incomplete, so that its host is not missing from the summary.
        for (var test = 1; !hasEnded && test <= (hello?.Count ?? 0); test++)
        {
            var id = FleetIds.OfTest(hello!.Group ?? "", test);
            if (!found.Results.ContainsKey((hello.Member ?? name, id)))
                found.Failures.TryAdd(
                    (hello.Member ?? name, id),
                    new FleetFailure(hello.Member ?? name, id, FleetErrors.HostLost, "its file breaks off before the result of this test.")
                );
        }
    }

    private sealed class Found
    {
        public Dictionary<(string, string), IoTestResult> Results { get; } = [];
        public Dictionary<(string, string), FleetFailure> Failures { get; } = [];

        public void Add(Found other)
        {
            foreach (var (key, result) in other.Results)
                Results.TryAdd(key, result);
            foreach (var (key, failure) in other.Failures)
                Failures.TryAdd(key, failure);
        }
    }
}
