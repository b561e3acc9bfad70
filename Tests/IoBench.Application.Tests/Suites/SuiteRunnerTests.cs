using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class SuiteRunnerTests : IDisposable
{
    private readonly SuiteFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private static IoTestSpecification Null(int outstanding, double seconds = 0.05) =>
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

    private static SuiteApproval Approve(params IoTestSpecification[] plan) =>
        SuiteApproval.Create(plan, new SuiteSettings(), NoQuestions.Instance);

    [Fact]
    public void Results_are_kept_and_then_handed_over_on_the_calling_thread()
    {
        var sink = new Sink();
        var observer = new Observer { Emitted = result => Assert.Contains(result, sink.Kept) };
        var outcome = new SuiteRunner(observer) { Sinks = [sink] }.Run(Approve(Null(1), Null(2, 0.3), Null(4)), [], CancellationToken.None);
        Assert.Equal([1, 2, 4], outcome.Results.Select(r => r.OutstandingIO!.Value));
        Assert.Equal(outcome.Results, observer.Results);
        Assert.Equal((3, false, true, 3), (outcome.CompleteCount, outcome.IsCancelled, outcome.IsSaved, observer.Ended));
        Assert.Equal([Environment.CurrentManagedThreadId], observer.Threads);
        Assert.Contains(
            observer.Progress,
            p => p is { Number: 2, Count: 3, Name: "8KB random read" } && p.LeftAfter == TimeSpan.FromSeconds(0.05)
        );
        Assert.NotEmpty(observer.Lines);
    }

    [Fact]
    public void A_cancelled_suite_gives_the_figures_so_far_and_runs_no_more()
    {
        using var cancel = new CancellationTokenSource();
        var observer = new Observer
        {
            Seen = progress =>
            {
                if (progress.Number == 2 && progress.Run.Phase == RunPhase.Measuring)
                    cancel.Cancel();
            },
        };
        var outcome = new SuiteRunner(observer).Run(Approve(Null(1), Null(2, 600), Null(4)), [], cancel.Token);
        Assert.True(outcome.IsCancelled);
        Assert.Equal([IoResultStatus.Complete, IoResultStatus.Cancelled], outcome.Results.Select(r => r.Status));
    }

    [Fact]
    public void An_observer_that_throws_leaves_no_worker_behind()
    {
        var observer = new Observer { Seen = _ => throw new InvalidOperationException("stopped") };
        Assert.Equal(
            "stopped",
            Assert
                .Throws<InvalidOperationException>(() => new SuiteRunner(observer).Run(Approve(Null(1, 600)), [], CancellationToken.None))
                .Message
        );
        Assert.Equal(1, observer.Ended);
    }

    [Fact]
    public void A_file_that_is_refused_for_one_test_is_refused_for_its_like_and_others_run()
    {
        var path = _folder.File("t.dat");
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
        var approval = Approve(File(100), File(50), File(0), Null(1));
        // Another program creates a file with this name after the check.
        _folder.Foreign("t.dat");
        var observer = new Observer();
        var outcome = new SuiteRunner(observer).Run(approval, [], CancellationToken.None);
        Assert.Equal("IoBench.ForeignFile", Assert.Single(outcome.Failures).Error.ErrorId);
        Assert.Equal([0, 0], outcome.Results.Select(r => r.Specification!.WritePercent));
        Assert.Equal(outcome.Failures, observer.Failures);

        var stopped = new SuiteRunner(new Observer()) { StopsAtFailure = true }.Run(approval, [], CancellationToken.None);
        Assert.Empty(stopped.Results);
    }

    [Fact]
    public void A_result_that_cannot_be_saved_costs_no_test_and_is_saved_with_the_next()
    {
        var sink = new Sink { FailAt = 1 };
        var observer = new Observer();
        var outcome = new SuiteRunner(observer) { Sinks = [sink] }.Run(Approve(Null(1), Null(2)), [], CancellationToken.None);
        Assert.Equal(2, outcome.CompleteCount);
        Assert.Equal("IoBench.OutputFailed", Assert.Single(observer.Failures).Error.ErrorId);
        Assert.Empty(outcome.Failures);
        Assert.False(outcome.IsSaved);
    }

    [Fact]
    public void Rounds_end_when_an_earlier_part_of_the_plan_was_steady()
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
            new SuiteRunner(new Observer()).Run(plan.Skip(5).ToList(), _ => new TestRunOptions(), earlier, CancellationToken.None).Results
        );
    }

    [Fact]
    public void Own_files_are_removed_and_others_stay()
    {
        var ours = _folder.File("iobench.dat");
        var foreign = _folder.Foreign("mine.dat");
        var test = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(_folder.Path)],
            FileSize = 1 << 20,
            ThreadCount = 1,
            OutstandingIO = 1,
            Duration = TimeSpan.FromMilliseconds(50),
            WarmUp = TimeSpan.Zero,
        };
        var approval = Approve(test);
        Assert.Single(new SuiteRunner(new Observer()).Run(approval, [], CancellationToken.None).Results);
        var kept = Assert.Single(TestFileCare.Kept(approval.Targets));
        Assert.Equal($"{ours} (1 MB) is kept for the next test: iobench remove {ours}", kept.Text.Render(ProgramSpelling.Default));
        // A path that was tested as a modeled device is not a test file, even if a file has that name.
        Assert.Empty(
            TestFileCare.RemoveOwn([
                new ApprovedTarget(
                    new CheckedTarget
                    {
                        Path = ours,
                        Size = 1 << 20,
                        Kind = TargetKind.Device,
                    },
                    TargetChange.None,
                    0,
                    IsImagined: false
                ),
            ])
        );
        Assert.Equal(
            [(ours, true), (foreign, false)],
            TestFileCare.RemoveOwn([_folder.Path, ours, foreign, _folder.File("nothing.dat")]).Select(fate => (fate.Path, fate.IsRemoved))
        );
        Assert.False(File.Exists(ours));
        Assert.True(File.Exists(foreign));
    }

    [Fact]
    public void A_file_is_written_over_before_the_first_of_its_tests()
    {
        const long size = 4L << 20;
        var plan = TestPlanner
            .Create(
                new PlanRequest { Paths = [_folder.File("p.dat")], Precondition = 2 }
                    .Set("FileSize", size)
                    .Set("OutstandingIO", new object[] { 1, 2 })
                    .Set("Duration", "50ms")
                    .Set("WarmUp", 0)
                    .Set("Buffering", "both")
            )
            .Tests;
        var approval = Approve([.. plan]);
        Assert.Equal((size, 2 * size), (approval.Estimate.BytesToMake, approval.Estimate.BytesToPrecondition));
        Assert.Contains("precondition with 8 MB of writes", Assert.Single(approval.Groups).Action, StringComparison.Ordinal);
        Assert.Contains(
            "8 MB of sequential writes, 2 x its size, about 1 second",
            Assert.Single(PreconditionNotice.Of(approval)).ToString(),
            StringComparison.Ordinal
        );
        var observer = new Observer();
        var results = new SuiteRunner(observer).Run(approval, [], CancellationToken.None).Results;
        // Preconditioning is not part of the results.
        Assert.Equal([0, 0], results.Select(result => result.WritePercent ?? -1));
        Assert.All(results, result => Assert.Equal(2.0, result.Specification!.Precondition));
        var said = Assert.Single(observer.Lines, line => line.StartsWith("preconditioned", StringComparison.Ordinal));
        Assert.Contains(" written in ", said, StringComparison.Ordinal);
        Assert.True(TestFiles.IsOurs(_folder.File("p.dat"), out var reason), reason);
    }

    [Fact]
    public void What_cannot_be_written_over_is_not_tested()
    {
        var foreign = _folder.Foreign("mine.dat");
        var before = File.ReadAllBytes(foreign);
        var plan = TestPlanner.Create(new PlanRequest { Paths = [foreign], Precondition = 1 }.Set("FileSize", "1MB")).Tests;
        var approval = Approve([.. plan]);
        Assert.Equal("IoBench.ForeignFile", Assert.Single(approval.Refusals).Error.ErrorId);
        Assert.Empty(approval.Tests);
        Assert.Equal(before, File.ReadAllBytes(foreign));
    }

    private sealed class Sink : IResultSink
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
