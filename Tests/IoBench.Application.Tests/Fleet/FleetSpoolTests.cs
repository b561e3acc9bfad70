using System.Runtime.CompilerServices;
using System.Text;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public class FleetSpoolTests
{
    private static readonly FleetHost s_host = new() { Name = "sql1" };

    private static IoTestResult Result(string member, int test) =>
        new()
        {
            Status = IoResultStatus.Complete,
            Member = member,
            GroupId = FleetIds.OfTest("g", test),
            GroupHosts = 2,
            IOPS = 100,
            DurationSeconds = 10,
            StartOffsetSeconds = 0,
            Workload = "oltp",
            Specification = new IoTestSpecification { Targets = [new IoTargetSpecification("/data/a.dat")] },
            Threads = [new IoThreadResult { ThreadId = 1 }],
        };

    private static SpooledResult Add(FleetSpool spool, string member, int test)
    {
        var line = Encoding.UTF8.GetBytes(
            FleetLines.Write(
                new FleetMessage
                {
                    State = FleetState.Done,
                    Member = member,
                    Group = "g",
                    Test = test,
                    Result = JsonResultText.Element(Result(member, test)),
                }
            )
        );
        return spool.Add(line, FleetLines.Split(line)!.Value.Result!.Value);
    }

    private static FleetAnswer Play(FleetSpool spool, IReadOnlyList<IResultSink> sinks, bool isSlim)
    {
        var record = new FleetRecord("g", new PlayedFleet(), sinks, spool, isSlim);
        for (var test = 1; test <= 3; test++)
        {
            foreach (var member in new[] { "sql1", "sql2" })
            {
                var result = spool.Take(Add(spool, member, test));
                result.Host["Tag array"] = "SAN1";
                record.OnResult(s_host, result);
            }
            record.OnTestEnded(test);
        }
        var outcome = record.End(false);
        return new FleetAnswer(outcome.Results, outcome.Failures, outcome.Groups, [], false, outcome.IsSaved);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Memory_holds_what_the_answer_needs_and_the_file_all_of_it(bool isSlim)
    {
        using var folder = new FleetFolder();
        using var spool = FleetSpool.Begin("g", folder.Path);
        var path = folder.File("out.json");
        FleetAnswer answer;
        using (var file = ResultFile.Create(path, ResultFormat.Json))
            answer = Play(spool, [new ResultFileSink(file)], isSlim);
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
    public void Nothing_keeps_results_that_are_read_to_be_saved()
    {
        using var folder = new FleetFolder();
        using var spool = FleetSpool.Begin("g", folder.Path);
        using var file = ResultFile.Create(folder.File("out.json"), ResultFormat.Json);
        var read = new List<WeakReference>();
        PlaySeen(spool, file, read);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        Assert.Equal(6, read.Count);
        Assert.All(read, result => Assert.False(result.IsAlive));
        Assert.Equal(6, file.Results.Count);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void PlaySeen(FleetSpool spool, ResultFile file, List<WeakReference> read) =>
        Play(spool, [new SeenSink(new ResultFileSink(file), read)], isSlim: true);

    [Fact]
    public void What_came_before_the_controller_was_killed_can_be_merged()
    {
        using var folder = new FleetFolder();
        var left = folder.File("left.jsonl");
        using (var spool = FleetSpool.Begin("g", folder.Path))
        {
            Add(spool, "sql2", 1);
            Add(spool, "sql1", 1);
            // The file contains the results while the fleet runs, because nothing is buffered.
            using var file = new FileStream(
                folder.File("fleet-g.jsonl"),
                new FileStreamOptions { Share = FileShare.ReadWrite, Access = FileAccess.Read }
            );
            using var copy = File.Create(left);
            file.CopyTo(copy);
        }
        Assert.Equal(["sql1", "sql2"], FleetFiles.Read([left]).Results.Select(result => result.Member));
        Assert.False(File.Exists(folder.File("fleet-g.jsonl")));
    }

    [Fact]
    public void A_file_that_a_killed_controller_left_stays_until_another_fleet_has_a_result()
    {
        using var folder = new FleetFolder();
        var left = folder.Write("fleet-old.jsonl", "{}\n");
        using (var runs = FleetSpool.Begin("runs", folder.Path))
        using (var spool = FleetSpool.Begin("g", folder.Path))
        {
            Assert.True(File.Exists(left));
            Add(spool, "sql1", 1);
            Assert.False(File.Exists(left));
            Assert.True(File.Exists(folder.File("fleet-runs.jsonl")));
        }
        Assert.Empty(Directory.EnumerateFiles(folder.Path));
    }

    [Fact]
    public void Where_nothing_can_be_written_results_are_kept_and_that_is_said_once()
    {
        using var folder = new FleetFolder();
        using var spool = FleetSpool.Begin("g", folder.Write("no-folder", ""));
        var answer = Play(spool, [], isSlim: true);
        Assert.All(answer.Results, result => Assert.Single(spool.Whole(result).Threads));
        var warning = spool.TakeTrouble()!;
        Assert.Equal(WarningCodes.FleetInMemory, warning.Code);
        Assert.StartsWith("results are kept in memory until they are saved: ", warning.ToString(), StringComparison.Ordinal);
        Assert.Null(spool.TakeTrouble());
    }

    private sealed class SeenSink(IResultSink inner, List<WeakReference> read) : IResultSink
    {
        public void AddAll(IReadOnlyList<IoTestResult> results) => inner.AddAll(new Seen(results, read));

        public void Flush() => inner.Flush();
    }

    private sealed class Seen(IReadOnlyList<IoTestResult> inner, List<WeakReference> read) : IReadOnlyList<IoTestResult>
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
