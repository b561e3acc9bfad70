using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public class CommitRunnerTests : CreatedFolderTestBase
{
    [Fact]
    public void Result_has_each_case_with_five_rounds_and_the_advice_first()
    {
        var observer = new Observer();
        var result = Run(observer, ("Committers", "1,2"), ("Duration", "90ms"));
        Assert.Equal(8, result.Measurements.Count);
        Assert.All(result.Measurements, item => Assert.Equal(5, item.RoundRates.Count));
        Assert.Equal(40, observer.Rounds);
        Assert.Equal(FindingCodes.CommitSettings, result.Findings[0].Code);
        Assert.All(result.Measurements, item => Assert.Same(result, item.Result));
        Assert.True(TestFiles.IsOwnTestFile(result.Path, out var reason), reason);
    }

    [Fact]
    public void Extending_and_impossible_cases_are_measured_or_stated()
    {
        var result = Run(new Observer(), ("Committers", "1"), ("Duration", "30ms"), ("Extending", true), ("Misaligned", true));
        Assert.Contains(result.Measurements, item => item.Extends);
        Assert.Equal(
            result.Measurements.Any(item => item.IsMisaligned) ? 0 : 1,
            result.Omissions.Count(text => text.StartsWith("Misaligned commits were not measured", StringComparison.Ordinal))
        );
        Assert.Equal(2L << 20, new FileInfo(result.Path).Length);
    }

    [Fact]
    public void Canceled_test_leaves_a_file_that_IoBench_recognizes()
    {
        using var cancel = new CancellationTokenSource();
        Assert.ThrowsAny<OperationCanceledException>(() =>
            Run(new Observer { OnEachRound = () => cancel.CancelAfter(50) }, cancel.Token, ("Duration", "10m"))
        );
        Assert.True(TestFiles.IsOwnTestFile(Path.Combine(Folder, "c.dat"), out var reason), reason);
    }

    [LinuxFact]
    public void File_that_is_removed_during_the_test_is_reported()
    {
        var observer = new Observer { OnEachRound = () => File.Delete(Path.Combine(Folder, "c.dat")) };
        Run(observer, ("Committers", "1"), ("Duration", "30ms"));
        Assert.Contains(observer.Warnings, warning => warning.Code == WarningCodes.TargetGone);
    }

    private CommitResult Run(Observer observer, params (string Name, object Value)[] options) =>
        Run(observer, CancellationToken.None, options);

    private CommitResult Run(Observer observer, CancellationToken token, params (string Name, object Value)[] options)
    {
        var values = new OptionValues(OptionTables.Commit);
        foreach (var (name, value) in options.Prepend(("FileSize", "4MB")))
            values.Set(name, value);
        return CommitRunner.Run(
            CommitPlan.Create(Path.Combine(Folder, "c.dat"), values),
            new TestRunOptions(),
            observer.OnProgress,
            observer.Warnings.Add,
            token
        );
    }

    private sealed class Observer
    {
        public Action? OnEachRound { get; init; }

        public int Rounds { get; private set; }

        public List<IoWarning> Warnings { get; } = [];

        public void OnProgress(string text, long done, long total)
        {
            // Progress of the file is not a round.
            if (!text.Contains("committer", StringComparison.Ordinal))
                return;
            Rounds++;
            OnEachRound?.Invoke();
        }
    }
}
