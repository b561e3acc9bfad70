using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>What members printed into files: any number of them, in any order.</summary>
public static class FleetFiles
{
    /// <summary>Results and failures of files of members.</summary>
    /// <exception cref="IoBenchException">A file cannot be read.</exception>
    public static FleetAnswer Read(IEnumerable<string> files)
    {
        ArgumentNullException.ThrowIfNull(files);
        var results = new Dictionary<(string, string), IoTestResult>();
        var failures = new Dictionary<(string, string), FleetFailure>();
        foreach (var file in files)
            Read(InputFile.ReadLines(file), Path.GetFileNameWithoutExtension(file), results, failures);
        foreach (var key in results.Keys)
            failures.Remove(key);
        var groups = FleetMerge.Find(results.Values, failures.Values);
        foreach (var group in groups)
            FleetMerge.Mark(group);
        return new FleetAnswer([.. results.Values], [.. failures.Values], groups, FleetRamp.Find(groups), false, true);
    }

    private static void Read(IEnumerable<string> lines, string name, Dictionary<(string, string), IoTestResult> results, Dictionary<(string, string), FleetFailure> failures)
    {
        FleetMessage? hello = null;
        var hasEnded = false;
        foreach (var message in lines.Select(FleetLines.ReadMessage).OfType<FleetMessage>())
        {
            (hello, hasEnded) = (message.State == FleetState.Hello ? message : hello, message.State == FleetState.End || (hasEnded && message.State != FleetState.Hello));
            var (member, group) = (message.Member ?? name, message.Group ?? "");
            if (message is { State: FleetState.Done, Test: { } done, Result: { } json })
            {
                var result = JsonResultText.Result(json);
                (result.Member, result.GroupId) = (member, FleetIds.OfTest(group, done));
                results.TryAdd((member, result.GroupId), result);
            }
            else if (message is { State: FleetState.Failed, Test: { } failed })
            {
                var id = FleetIds.OfTest(group, failed);
                failures.TryAdd((member, id), new FleetFailure(member, id, message.ErrorId ?? ErrorIds.TestFailed, message.Text ?? "it failed."));
            }
        }
        // A file that breaks off, or that holds no member's line: its host is not forgotten.
        for (var test = 1; !hasEnded && test <= (hello?.Count ?? 0); test++)
        {
            var id = FleetIds.OfTest(hello!.Group ?? "", test);
            if (!results.ContainsKey((hello.Member ?? name, id)))
                failures.TryAdd((hello.Member ?? name, id), new FleetFailure(hello.Member ?? name, id, FleetErrors.HostLost, "its file breaks off before the result of this test."));
        }
    }
}
