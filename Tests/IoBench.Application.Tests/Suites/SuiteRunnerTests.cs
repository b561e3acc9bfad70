using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class SuiteRunnerTests : IDisposable
{
    private readonly TemporarySuiteFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private static IoTestSpecification CreateNullTest(int outstanding, double seconds = 0.05) =>
        new()
        {
            Targets = [new IoTargetSpecification("null")],
            Backend = NullBackend.Name,
            OutstandingIO = outstanding,
            ThreadCount = 1,
            Duration = TimeSpan.FromSeconds(seconds),
            WarmUp = TimeSpan.Zero,
            NullDevice = new NullDeviceModel(1, 1),
        };

    private static SuiteApproval CreateApproval(params IoTestSpecification[] plan) =>
        SuiteApproval.Create(plan, new SuiteSettings(), front: null);

    [Fact]
    public void Results_are_saved_and_then_reported_on_the_calling_thread()
    {
        var sink = new FailingSink();
        var front = new RecordingSuiteFront { Emitted = result => Assert.Contains(result, sink.Kept) };
        var outcome = new SuiteRunner(front) { Sinks = [sink] }.Run(
            CreateApproval(CreateNullTest(1), CreateNullTest(2, 0.3), CreateNullTest(4)),
            [],
            CancellationToken.None
        );
        Assert.Equal([1, 2, 4], outcome.Results.Select(r => r.OutstandingIO!.Value));
        Assert.Equal(outcome.Results, front.Results);
        Assert.Equal((3, false, true, 3), (outcome.CompleteCount, outcome.IsCancelled, outcome.IsSaved, front.Ended));
        Assert.Equal([Environment.CurrentManagedThreadId], front.Threads);
        Assert.Contains(
            front.Progress,
            p => p is { Number: 2, Count: 3, Name: "8KB random read" } && p.LeftAfter == TimeSpan.FromSeconds(0.05)
        );
        Assert.NotEmpty(front.Lines);
    }

    [Fact]
    public void Canceled_suite_returns_partial_results()
    {
        using var cancel = new CancellationTokenSource();
        var front = new RecordingSuiteFront
        {
            Seen = progress =>
            {
                if (progress.Number == 2 && progress.Run.Phase == RunPhase.Measuring)
                    cancel.Cancel();
            },
        };
        var outcome = new SuiteRunner(front).Run(
            CreateApproval(CreateNullTest(1), CreateNullTest(2, 600), CreateNullTest(4)),
            [],
            cancel.Token
        );
        Assert.True(outcome.IsCancelled);
        Assert.Equal([IoResultStatus.Complete, IoResultStatus.Cancelled], outcome.Results.Select(r => r.Status));
    }

    [Fact]
    public void Exception_of_an_observer_ends_all_workers()
    {
        var front = new RecordingSuiteFront { Seen = _ => throw new InvalidOperationException("stopped") };
        Assert.Equal(
            "stopped",
            Assert
                .Throws<InvalidOperationException>(() =>
                    new SuiteRunner(front).Run(CreateApproval(CreateNullTest(1, 600)), [], CancellationToken.None)
                )
                .Message
        );
        Assert.Equal(1, front.Ended);
    }

    [Fact]
    public void Refused_file_fails_similar_tests_and_the_others_run()
    {
        var path = _folder.GetPath("t.dat");
        IoTestSpecification File(int writes) =>
            new()
            {
                Targets = [new IoTargetSpecification(path)],
                FileSize = 1 << 20,
                WritePercent = writes,
                ThreadCount = 1,
                OutstandingIO = 1,
                Duration = TimeSpan.FromMilliseconds(50),
                WarmUp = TimeSpan.Zero,
            };
        var approval = CreateApproval(File(100), File(50), File(0), CreateNullTest(1));
        // Another program creates a file with this name after the check.
        _folder.WriteOtherFile("t.dat");
        var front = new RecordingSuiteFront();
        var outcome = new SuiteRunner(front).Run(approval, [], CancellationToken.None);
        Assert.Equal("IoBench.ForeignFile", Assert.Single(outcome.Failures).Error.ErrorId);
        Assert.Equal([0, 0], outcome.Results.Select(r => r.Specification!.WritePercent));
        Assert.Equal(outcome.Failures, front.Failures);

        var stopped = new SuiteRunner(new RecordingSuiteFront()) { StopsAtFailure = true }.Run(approval, [], CancellationToken.None);
        Assert.Empty(stopped.Results);
    }

    [Fact]
    public void Result_that_cannot_be_saved_loses_no_test()
    {
        var sink = new FailingSink { FailAt = 1 };
        var front = new RecordingSuiteFront();
        var outcome = new SuiteRunner(front) { Sinks = [sink] }.Run(
            CreateApproval(CreateNullTest(1), CreateNullTest(2)),
            [],
            CancellationToken.None
        );
        Assert.Equal(2, outcome.CompleteCount);
        Assert.Equal("IoBench.OutputFailed", Assert.Single(front.Failures).Error.ErrorId);
        Assert.Empty(outcome.Failures);
        Assert.False(outcome.IsSaved);
    }

    [Fact]
    public void Rounds_end_if_earlier_results_are_steady()
    {
        var plan = TestPlanner
            .Create(
                new PlanRequest
                {
                    Paths = ["null"],
                    SteadyState = true,
                    MaxRounds = 9,
                }
                    .Set("Backend", "null")
                    .Set("Duration", "20ms")
                    .Set("WarmUp", 0)
            )
            .Tests;
        var earlier = plan.Take(5)
            .Select(test => new IoTestResult
            {
                Status = IoResultStatus.Complete,
                Specification = test,
                Repeat = test.Repeat,
                IOPS = 1000,
            })
            .ToList();
        Assert.Empty(
            new SuiteRunner(new RecordingSuiteFront())
                .Run(plan.Skip(5).ToList(), _ => new TestRunOptions(), earlier, CancellationToken.None)
                .Results
        );
    }

    [Fact]
    public void Only_files_that_IoBench_created_are_removed()
    {
        var ours = _folder.GetPath("iobench.dat");
        var foreign = _folder.WriteOtherFile("mine.dat");
        var test = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(_folder.Path)],
            FileSize = 1 << 20,
            ThreadCount = 1,
            OutstandingIO = 1,
            Duration = TimeSpan.FromMilliseconds(50),
            WarmUp = TimeSpan.Zero,
        };
        var approval = CreateApproval(test);
        Assert.Single(new SuiteRunner(new RecordingSuiteFront()).Run(approval, [], CancellationToken.None).Results);
        var kept = Assert.Single(SuiteTestFiles.DescribeKeptFiles(approval.Targets));
        Assert.Equal($"{ours} (1 MB) is kept for the next run. To delete it: iobench remove {ours}", kept.Text.Render(CliSpelling.Default));
        // A path that was tested as a modeled device is not a test file, even if a file has that name.
        Assert.Empty(
            SuiteTestFiles.RemoveOwnFiles([
                new ApprovedTarget(
                    new CheckedTarget
                    {
                        Path = ours,
                        Size = 1 << 20,
                        Kind = TargetKind.Device,
                    },
                    0,
                    IsImagined: false
                ),
            ])
        );
        Assert.Equal(
            [(ours, true), (foreign, false)],
            SuiteTestFiles
                .RemoveOwnFiles([_folder.Path, ours, foreign, _folder.GetPath("nothing.dat")])
                .Select(fate => (fate.Path, fate.IsRemoved))
        );
        Assert.False(File.Exists(ours));
        Assert.True(File.Exists(foreign));
    }

    [Fact]
    public void File_is_preconditioned_before_its_first_test()
    {
        const long size = 4L << 20;
        var plan = TestPlanner
            .Create(
                new PlanRequest { Paths = [_folder.GetPath("p.dat")], Precondition = 2 }
                    .Set("FileSize", size)
                    .Set("OutstandingIO", new object[] { 1, 2 })
                    .Set("Duration", "50ms")
                    .Set("WarmUp", 0)
                    .Set("Buffering", "both")
            )
            .Tests;
        var approval = CreateApproval([.. plan]);
        Assert.Equal((size, 2 * size), (approval.Estimate.BytesToMake, approval.Estimate.BytesToPrecondition));
        Assert.Contains("precondition with 8 MB of writes", Assert.Single(approval.Groups).Action, StringComparison.Ordinal);
        Assert.Contains(
            "8 MB of sequential writes, 2 x the size of the target, about 1 second",
            Assert.Single(SuiteMessages.DescribePreconditioning(approval)).ToString(),
            StringComparison.Ordinal
        );
        var front = new RecordingSuiteFront();
        var results = new SuiteRunner(front).Run(approval, [], CancellationToken.None).Results;
        // Preconditioning is not part of the results.
        Assert.Equal([0, 0], results.Select(result => result.WritePercent ?? -1));
        Assert.All(results, result => Assert.Equal(2.0, result.Specification!.Precondition));
        var said = Assert.Single(front.Lines, line => line.StartsWith("preconditioned", StringComparison.Ordinal));
        Assert.Contains(" written in ", said, StringComparison.Ordinal);
        Assert.True(TestFiles.IsOwnTestFile(_folder.GetPath("p.dat"), out var reason), reason);
    }

    [Fact]
    public void File_that_cannot_be_preconditioned_is_not_tested()
    {
        var foreign = _folder.WriteOtherFile("mine.dat");
        var before = File.ReadAllBytes(foreign);
        var plan = TestPlanner.Create(new PlanRequest { Paths = [foreign], Precondition = 1 }.Set("FileSize", "1MB")).Tests;
        var approval = CreateApproval([.. plan]);
        Assert.Equal("IoBench.ForeignFile", Assert.Single(approval.Refusals).Error.ErrorId);
        Assert.Empty(approval.Tests);
        Assert.Equal(before, File.ReadAllBytes(foreign));
    }

    private sealed class FailingSink : IResultSink
    {
        private bool _isBehind;

        public List<IoTestResult> Kept { get; } = [];
        public int FailAt { get; init; } = -1;

        public void AddAll(IReadOnlyList<IoTestResult> results)
        {
            Kept.Add(Assert.Single(results));
            if (Kept.Count - 1 != FailAt)
                return;
            _isBehind = true;
            Flush();
        }

        public void Flush()
        {
            if (_isBehind)
                throw IoBenchException.Failure("IoBench.OutputFailed", "the disk is full");
        }
    }
}
