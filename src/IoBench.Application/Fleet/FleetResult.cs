using System.Runtime.ExceptionServices;
using System.Text;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <param name="Ramps">Scaling curves of the steps; empty without a ramp.</param>
/// <param name="IsSaved">Whether every output has every result.</param>
public sealed record FleetResult(
    IReadOnlyList<IoTestResult> Results,
    IReadOnlyList<FleetFailure> Failures,
    IReadOnlyList<FleetGroup> Groups,
    IReadOnlyList<ScalingCurve> Ramps,
    bool IsCancelled,
    bool IsSaved
)
{
    /// <summary>Failures as results without values, as they are saved. They show which hosts are missing and why.</summary>
    public IReadOnlyList<IoTestResult> Unmeasured { get; init; } = [];

    /// <summary>All results with all their details, each read on access. <see cref="Results"/> are trimmed if there are very
    /// many.</summary>
    public IEnumerable<IoTestResult> Whole { get; init; } = Results;

    /// <summary>True if every host, or at least <paramref name="minHosts"/> hosts, have a complete result for each test.</summary>
    public bool IsSufficient(int? minHosts) =>
        !IsCancelled
        && IsSaved
        && Groups.Count > 0
        && (
            minHosts is { } count
                ? Groups.All(group => group.Hosts.Count >= Math.Min(count, group.AskedHosts))
                : Failures.Count == 0 && Groups.All(group => group.Failures.Count == 0)
        );

    /// <summary>Number of results above which only the parts that the summary needs stay in memory.</summary>
    public const int MaxCompleteResults = 1_000;

    /// <summary>Reads the output files of members, in any number and order.</summary>
    public static FleetResult ReadFiles(IReadOnlyList<string> files, int keptWhole = MaxCompleteResults)
    {
        ArgumentNullException.ThrowIfNull(files);
        var slim = files.Count * GetTestCount(files) > keptWhole ? new ResultTrimmer() : null;
        var outputs = ReadMembers(files, slim);
        List<IoTestResult> results =
        [
            .. outputs
                .SelectMany(output => output.Results)
                .DistinctBy(result => (result.Member, result.GroupId))
                .OrderBy(result => result.GroupId, NaturalNameComparer.Instance)
                .ThenBy(result => result.Member, NaturalNameComparer.Instance),
        ];
        var complete = results.Select(result => (result.Member, result.GroupId)).ToHashSet();
        List<FleetFailure> failures =
        [
            .. outputs
                .SelectMany(output => output.Failures)
                .DistinctBy(failure => (failure.Host, failure.GroupId))
                .Where(failure => !complete.Contains((failure.Host, failure.GroupId))),
        ];
        if (results.Count + failures.Count == 0)
            throw IoBenchException.NotFound(
                FleetErrorIds.NoFleet,
                $"no fleet member has written a result to {NumberFormat.List(files, 3)}."
            );
        var groups = FleetMerge.FindGroups(results, failures);
        foreach (var group in groups)
            FleetMerge.SetGroupValues(group);
        return new FleetResult(results, failures, groups, ScalingCurve.Find(groups), false, true)
        {
            Whole = ReadCompleteResults(files, results),
        };
    }

    /// <summary>Reads several files in parallel, because reading takes most of the time.</summary>
    private static List<(List<IoTestResult> Results, List<FleetFailure> Failures)> ReadMembers(
        IReadOnlyList<string> files,
        ResultTrimmer? slim
    )
    {
        try
        {
            return
            [
                .. files
                    .AsParallel()
                    .AsOrdered()
                    .WithDegreeOfParallelism(Math.Clamp(Environment.ProcessorCount, 1, 4))
                    .Select(file => ReadFile(file, slim)),
            ];
        }
        catch (AggregateException error)
        {
            ExceptionDispatchInfo.Throw(error.Flatten().InnerExceptions[0]);
            throw;
        }
    }

    private static IEnumerable<IoTestResult> ReadCompleteResults(IReadOnlyList<string> files, IReadOnlyList<IoTestResult> slim)
    {
        var known = slim.ToDictionary(result => (result.Member, result.GroupId));
        foreach (var result in files.SelectMany(file => ReadFile(file, null).Results))
            if (known.Remove((result.Member, result.GroupId), out var marked))
            {
                result.CommonWindowPercent = marked.CommonWindowPercent;
                result.GroupMembers = marked.GroupMembers;
                yield return result;
            }
    }

    private static int GetTestCount(IReadOnlyList<string> files) =>
        files
            .Select(file => ReadMessages(file).Select(item => item.Message.Count).FirstOrDefault())
            .FirstOrDefault(count => count is not null)
        ?? 1;

    private static (List<IoTestResult> Results, List<FleetFailure> Failures) ReadFile(string file, ResultTrimmer? slim)
    {
        var name = Path.GetFileNameWithoutExtension(file);
        List<IoTestResult> results = [];
        List<FleetFailure> failures = [];
        MemberMessage? hello = null;
        var hasEnded = false;
        foreach (var (message, result) in ReadMessages(file))
        {
            hello = message.State == MemberMessageKind.Hello ? message : hello;
            hasEnded = message.State == MemberMessageKind.End || (hasEnded && message.State != MemberMessageKind.Hello);
            if (message.Test is not { } test)
                continue;
            var member = message.Member ?? name;
            var id = FleetPlan.GetGroupId(message.Group ?? "", test);
            if (message.State == MemberMessageKind.Done && result is not null)
            {
                (result.Member, result.GroupId) = (member, id);
                slim?.Trim(result);
                results.Add(result);
            }
            else if (message.State == MemberMessageKind.Failed)
                failures.Add(new(member, id, message.GetError()));
        }
        // Report the tests of a member whose file is incomplete, so that its host is not missing from the summary.
        for (var test = 1; !hasEnded && test <= (hello?.Count ?? 0); test++)
        {
            var (member, id) = (hello!.Member ?? name, FleetPlan.GetGroupId(hello.Group ?? "", test));
            if (!results.Exists(result => result.Member == member && result.GroupId == id))
                failures.Add(new(member, id, FleetErrorIds.HostLost, "its file ends before the result of this test."));
        }
        return (results, failures);
    }

    /// <summary>Reads the messages of a file in UTF-8, or in UTF-16, which redirection (&gt;) in Windows PowerShell writes.</summary>
    internal static IEnumerable<(MemberMessage Message, IoTestResult? Result)> ReadMessages(string path)
    {
        foreach (var line in InputFiles.ReadLines(path))
        {
            var bytes = Encoding.UTF8.GetBytes(line);
            if (FleetMessageSerializer.SplitResult(bytes) is { } found)
                yield return (found.Message, found.Result is { } place ? JsonResultSerializer.DeserializeResult(bytes[place]) : null);
        }
    }
}
