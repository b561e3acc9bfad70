using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public sealed class ComparisonRequestTests
{
    private static IoTestResult CreateResult(string label, double iops) =>
        new()
        {
            Label = label,
            Status = IoResultStatus.Complete,
            IOPattern = "8KB random read",
            BlockSizeKB = 8,
            ThreadCount = 1,
            OutstandingIO = 1,
            IOPS = iops,
        };

    private static ComparisonRequest CreateRequest(Func<string, string>? context, params (string Name, object Value)[] given)
    {
        var values = new OptionValues(OptionTables.Comparison);
        foreach (var (name, value) in given)
            values.Set(name, value);
        return new(values, context);
    }

    [Fact]
    public void Baseline_name_matches_a_label_before_a_file()
    {
        var folder = Directory.CreateTempSubdirectory("iobench-compare-");
        try
        {
            Func<string, string> context = name => Path.Combine(folder.FullName, name);
            foreach (var name in new[] { "old", "older" })
                using (var file = new StreamWriter(Path.Combine(folder.FullName, name)))
                    ResultWriter.Write(
                        file,
                        [CreateResult("x", 2000), CreateResult("x", 2000), CreateResult("x", 2000)],
                        ResultFormat.Json
                    );
            using (var file = new StreamWriter(Path.Combine(folder.FullName, "single")))
                ResultWriter.Write(file, [CreateResult("x", 2000)], ResultFormat.Json);
            IoTestResult[] results = [CreateResult("old", 1000), CreateResult("new", 700)];
            var byLabel = CreateRequest(context, ("Baseline", "OLD")).Compare(results);
            Assert.Equal((null, false, false), (byLabel.Earlier, byLabel.IsExpected, byLabel.HasWorse));
            Assert.Equal("new", Assert.Single(byLabel.Comparisons!).Label);
            var byFile = CreateRequest(context, ("Baseline", "older"))
                .Compare([CreateResult("new", 700), CreateResult("new", 700), CreateResult("new", 700)]);
            Assert.Equal((3, true, true), (byFile.Earlier!.Count, byFile.IsExpected, byFile.HasWorse));
            Assert.Equal((false, false), (byLabel.IsUndecided, byFile.IsUndecided));
            Assert.Equal("older", Assert.Single(byFile.Comparisons!).BaselineLabel);
            // One run cannot be distinguished from chance, so the baseline is not met.
            var undecided = CreateRequest(context, ("Baseline", "single")).Compare([CreateResult("new", 1900)]);
            Assert.Equal((false, true), (undecided.HasWorse, undecided.IsUndecided));
            Assert.NotNull(undecided.Comparisons);
            Assert.All(
                new[] { byLabel, byFile, undecided },
                result => Assert.Equal((null, null, null), (result.Roles, result.ObservedLatencies, result.Repeats))
            );
            Assert.Equal(
                "IoBench.NothingToCompare",
                Assert.Throws<IoBenchException>(() => CreateRequest(context, ("Baseline", "oldest")).Compare(results)).ErrorId
            );
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public void Single_run_threshold_is_never_below_the_change_threshold()
    {
        Assert.Equal((0.01, 5, 30), Figures(CreateRequest(null)));
        Assert.Equal((0.05, 8, 30), Figures(CreateRequest(null, ("Alpha", "0.05"), ("MinChangePercent", 8))));
        Assert.Equal((0.01, 40, 40), Figures(CreateRequest(null, ("LeastChangePercent", "40"))));
        static (double, double, double) Figures(ComparisonRequest request) =>
            (request.Options.Alpha, request.Options.MinChangePercent, request.Options.MinSingleChangePercent);
    }

    [Fact]
    public void Comparison_options_exclude_each_other()
    {
        var error = Assert.Throws<IoBenchException>(() => CreateRequest(null, ("Repeat", true), ("By", "label")));
        Assert.StartsWith(
            "--role, --captured-workload, --repeat, and the comparison with a baseline (--by, --baseline) cannot be combined",
            error.Text.Render(CliSpelling.Default),
            StringComparison.Ordinal
        );
        Assert.Throws<IoBenchException>(() => CreateRequest(null, ("Role", true), ("CapturedWorkload", true)));
        Assert.Equal("IoBench.NoRepeats", Assert.Throws<IoBenchException>(() => CreateRequest(null, ("Repeat", true)).Compare([])).ErrorId);
    }
}
