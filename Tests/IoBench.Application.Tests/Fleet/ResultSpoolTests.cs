using System.Runtime.CompilerServices;
using System.Text;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public class ResultSpoolTests
{
    private static readonly FleetHost s_host = new() { Name = "sql1" };

    private static IoTestResult CreateResult(string member, int test) =>
        new()
        {
            Status = IoResultStatus.Complete,
            Member = member,
            GroupId = FleetPlan.GetGroupId("g", test),
            GroupHosts = 2,
            IOPS = 100,
            DurationSeconds = 10,
            StartOffsetSeconds = 0,
            Workload = "oltp",
            Specification = new IoTestSpecification { Targets = [new IoTargetSpecification("/data/a.dat")] },
            Threads = [new IoThreadResult { ThreadId = 1 }],
        };

    private static Func<IoTestResult> AddResult(ResultSpool spool, string member, int test)
    {
        var line = Encoding.UTF8.GetBytes(
            FleetMessageSerializer.Serialize(
                new MemberMessage
                {
                    State = MemberMessageKind.Done,
                    Member = member,
                    Group = "g",
                    Test = test,
                    Result = JsonResultSerializer.SerializeToElement(CreateResult(member, test)),
                }
            )
        );
        return spool.Add(line, FleetMessageSerializer.SplitResult(line)!.Value.Result!.Value);
    }

    private static FleetResult RunFleet(ResultSpool spool, IReadOnlyList<IResultSink> sinks, bool isSlim)
    {
        var record = new FleetResultRecorder("g", new SimulatedFleet(), sinks, spool, isSlim);
        for (var test = 1; test <= 3; test++)
        {
            foreach (var member in new[] { "sql1", "sql2" })
            {
                var result = AddResult(spool, member, test)();
                result.Host["Tag array"] = "SAN1";
                record.OnResult(s_host, result);
            }
            record.OnTestEnded(test);
        }
        var outcome = record.Finish(false);
        return new FleetResult(outcome.Results, outcome.Failures, outcome.Groups, [], false, outcome.IsSaved);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Memory_contains_trimmed_results_and_the_file_complete_results(bool isSlim)
    {
        using var folder = new TemporaryFleetFolder();
        using var spool = ResultSpool.Create("g", folder.Path);
        var path = folder.GetPath("out.json");
        FleetResult answer;
        using (var file = ResultOutputFile.Create(path, ResultFormat.Json))
            answer = RunFleet(spool, [file], isSlim);
        Assert.Equal([200.0, 200, 200], answer.Groups.Select(group => group.IOPS!.Value));
        Assert.All(answer.Results, result => Assert.Equal(isSlim, result.Threads.Count == 0));
        var saved = ResultReader.ReadFile(path, ResultFormat.Json).ToList();
        Assert.Equal(6, saved.Count);
        // The results are complete, including the data that the controller added.
        Assert.All(
            saved,
            result =>
                Assert.Equal(
                    (1, "/data/a.dat", "SAN1", 2, 100.0),
                    (
                        result.Threads.Count,
                        result.Specification!.Targets[0].Path,
                        result.Host["Tag array"],
                        result.GroupMembers.Count,
                        result.CommonWindowPercent!.Value
                    )
                )
        );
    }

    [Fact]
    public void Results_read_for_saving_are_released()
    {
        using var folder = new TemporaryFleetFolder();
        using var spool = ResultSpool.Create("g", folder.Path);
        using var file = ResultOutputFile.Create(folder.GetPath("out.json"), ResultFormat.Json);
        var read = new List<WeakReference>();
        RunFleetWithTracking(spool, file, read);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        Assert.Equal(6, read.Count);
        Assert.All(read, result => Assert.False(result.IsAlive));
        Assert.Equal(6, file.Results.Count());
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RunFleetWithTracking(ResultSpool spool, ResultOutputFile file, List<WeakReference> read) =>
        RunFleet(spool, [new TrackingSink(file, read)], isSlim: true);

    [Fact]
    public void Spool_of_a_killed_controller_can_be_merged()
    {
        using var folder = new TemporaryFleetFolder();
        var left = folder.GetPath("left.jsonl");
        using (var spool = ResultSpool.Create("g", folder.Path))
        {
            AddResult(spool, "sql2", 1);
            AddResult(spool, "sql1", 1);
            // The file contains the results while the fleet runs, because nothing is buffered.
            using var file = new FileStream(
                folder.GetPath("iobench-journal-fleet-g.jsonl"),
                new FileStreamOptions { Share = FileShare.ReadWrite, Access = FileAccess.Read }
            );
            using var copy = File.Create(left);
            file.CopyTo(copy);
        }
        Assert.Equal(["sql1", "sql2"], FleetResult.ReadFiles([left]).Results.Select(result => result.Member));
        Assert.False(File.Exists(folder.GetPath("iobench-journal-fleet-g.jsonl")));
    }

    [Fact]
    public void Abandoned_spool_is_deleted_at_the_first_result_of_another_fleet()
    {
        using var folder = new TemporaryFleetFolder();
        var left = folder.WriteFile("iobench-journal-fleet-old.jsonl", JsonFormat.JournalHeader + "\n{}\n");
        using (var runs = ResultSpool.Create("runs", folder.Path))
        using (var spool = ResultSpool.Create("g", folder.Path))
        {
            Assert.True(File.Exists(left));
            AddResult(spool, "sql1", 1);
            Assert.False(File.Exists(left));
            Assert.True(File.Exists(folder.GetPath("iobench-journal-fleet-runs.jsonl")));
        }
        Assert.Empty(Directory.EnumerateFiles(folder.Path));
    }

    [Fact]
    public void Results_stay_in_memory_with_one_warning_if_the_spool_cannot_be_written()
    {
        using var folder = new TemporaryFleetFolder();
        using var spool = ResultSpool.Create("g", folder.WriteFile("no-folder", ""));
        var answer = RunFleet(spool, [], isSlim: true);
        Assert.All(answer.Results, result => Assert.Single(spool.ReadComplete(result).Threads));
        var warning = spool.DequeueWarning()!;
        Assert.Equal(WarningCodes.FleetInMemory, warning.Code);
        Assert.StartsWith(
            "The results stay in memory until they are saved, because IoBench cannot write them to a temporary file: ",
            warning.ToString(),
            StringComparison.Ordinal
        );
        Assert.Null(spool.DequeueWarning());
    }

    [Fact]
    public void Result_that_arrives_after_the_spool_is_closed_stays_in_memory()
    {
        using var folder = new TemporaryFleetFolder();
        var spool = ResultSpool.Create("g", folder.Path);
        spool.Dispose();
        Assert.Equal("sql1", AddResult(spool, "sql1", 1)().Member);
    }

    private sealed class TrackingSink(IResultSink inner, List<WeakReference> read) : IResultSink
    {
        public void AddAll(IReadOnlyList<IoTestResult> results) => inner.AddAll(new TrackedResultList(results, read));

        public void Flush() => inner.Flush();
    }

    private sealed class TrackedResultList(IReadOnlyList<IoTestResult> inner, List<WeakReference> read) : IReadOnlyList<IoTestResult>
    {
        public int Count => inner.Count;

        public IoTestResult this[int index] => inner[index];

        public IEnumerator<IoTestResult> GetEnumerator()
        {
            foreach (var result in inner)
            {
                read.Add(new WeakReference(result));
                yield return result;
            }
        }

        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
