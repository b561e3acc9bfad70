using IoBench.Engine;

namespace IoBench.Application.Tests;

public class SuiteResultsTests
{
    private static readonly IoTestSpecification s_test = new() { Targets = [new IoTargetSpecification("/d/t.dat")] };

    private static IoTestResult CreateResult(double iops = 1000, IoResultStatus status = IoResultStatus.Complete) =>
        new()
        {
            Specification = s_test.Clone(),
            Path = "/d/t.dat",
            IOPattern = "8KB random read",
            IOPS = iops,
            Status = status,
        };

    [Theory]
    [InlineData(true, 1)]
    [InlineData(false, 0)]
    public void Missed_rate_is_a_failure_only_if_rates_are_required(bool requiresRate, int failures)
    {
        var results = new SuiteResults([], requiresRate);
        List<string> errors = [];
        foreach (var iops in new[] { 1000, 500 })
        {
            var result = CreateResult(iops);
            (result.LoadModel, result.TargetIops) = (IoLoadModel.Open, 1000);
            results.AddResult(s_test, result, _ => { }, failure => errors.Add(failure.Error.Message));
        }
        var outcome = results.Complete(isCancelled: false);
        Assert.Equal((2, failures, requiresRate), (outcome.CompleteCount, outcome.Failures.Count, outcome.IsRateMissed));
        Assert.Equal(Enumerable.Repeat("8KB random read on /d/t.dat: the achieved rate was 500 of 1,000 IOPS.", failures), errors);
    }

    [Fact]
    public void Result_that_cannot_be_saved_is_shown_and_saved_again()
    {
        var sink = new FailingOnceSink();
        var results = new SuiteResults([sink], requiresRate: false);
        List<string> shown = [];
        for (var i = 0; i < 2; i++)
            results.AddResult(s_test, CreateResult(), _ => shown.Add("result"), failure => shown.Add(failure.Error.ErrorId));
        var outcome = results.Complete(isCancelled: false);
        Assert.Equal(["IoBench.OutputFailed", "result", "result"], shown);
        // The test itself did not fail.
        Assert.Equal((2, 0, true, 1), (outcome.CompleteCount, outcome.Failures.Count, outcome.IsSaved, sink.Flushed));
    }

    [Fact]
    public void Failed_result_is_a_failure()
    {
        var results = new SuiteResults([], requiresRate: false);
        List<string> errors = [];
        results.AddResult(s_test, CreateResult(status: IoResultStatus.Failed), _ => { }, failure => errors.Add(failure.Error.Message));
        Assert.Equal(ErrorIds.TestFailed, Assert.Single(results.Complete(isCancelled: false).Failures).Error.ErrorId);
        Assert.Equal(["The test of /d/t.dat failed."], errors);
    }

    private sealed class FailingOnceSink : IResultSink
    {
        private int _saves;

        public int Flushed { get; private set; }

        public void AddAll(IReadOnlyList<IoTestResult> results)
        {
            if (_saves++ == 0)
                throw IoBenchException.Failure("IoBench.OutputFailed", $"the disk is full");
        }

        public void Flush() => Flushed++;
    }
}
