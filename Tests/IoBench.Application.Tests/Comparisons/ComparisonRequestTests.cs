using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public sealed class ComparisonRequestTests
{
    private static IoTestResult Of(string label, double iops) =>
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

    private static ComparisonRequest Request(OptionContext? context, params (string Name, object Value)[] given)
    {
        var values = new OptionValues(OptionTables.Comparison);
        foreach (var (name, value) in given)
            values.Set(name, value);
        return new(values, context);
    }

    [Fact]
    public void What_results_have_goes_before_a_file_of_that_name()
    {
        var folder = Directory.CreateTempSubdirectory("iobench-compare-");
        try
        {
            var context = new OptionContext { FullPath = name => Path.Combine(folder.FullName, name) };
            foreach (var name in new[] { "old", "older" })
                using (var file = new StreamWriter(Path.Combine(folder.FullName, name)))
                    ResultWriter.Write(file, [Of("x", 2000)], ResultFormat.Json);
            IoTestResult[] results = [Of("old", 1000), Of("new", 700)];
            var byLabel = Assert.IsType<ComparisonAnswer.Sides>(Request(context, ("Baseline", "OLD")).Answer(results));
            Assert.Equal((null, false, false), (byLabel.Earlier, byLabel.IsExpected, byLabel.IsMissed));
            Assert.Equal("new", Assert.Single(byLabel.Comparisons).Label);
            var byFile = Assert.IsType<ComparisonAnswer.Sides>(Request(context, ("Baseline", "older")).Answer([Of("new", 700)]));
            Assert.Equal((1, true, true), (byFile.Earlier!.Count, byFile.IsExpected, byFile.IsMissed));
            Assert.Equal("older", Assert.Single(byFile.Comparisons).BaselineLabel);
            Assert.Equal(
                "IoBench.NothingToCompare",
                Assert.Throws<IoBenchException>(() => Request(context, ("Baseline", "oldest")).Answer(results)).ErrorId
            );
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public void Without_repeats_no_less_is_seen_than_what_counts_as_a_change()
    {
        Assert.Equal((0.01, 5, 15), Figures(Request(null)));
        Assert.Equal((0.05, 8, 15), Figures(Request(null, ("Alpha", "0.05"), ("MinChangePercent", 8))));
        Assert.Equal((0.01, 40, 40), Figures(Request(null, ("LeastChangePercent", "40"))));
        static (double, double, double) Figures(ComparisonRequest request) =>
            (request.Options.Alpha, request.Options.MinChangePercent, request.Options.MinSingleChangePercent);
    }

    [Fact]
    public void One_comparison_is_made_at_a_time()
    {
        var error = Assert.Throws<IoBenchException>(() => Request(null, ("Repeat", true), ("By", "label")));
        Assert.StartsWith(
            "--role, --own-load, --repeat and the comparison of sides (--by, --baseline) exclude each other",
            error.Text.Render(ProgramSpelling.Default),
            StringComparison.Ordinal
        );
        Assert.Throws<IoBenchException>(() => Request(null, ("Role", true), ("OwnLoad", true)));
        Assert.Equal("IoBench.NoRepeats", Assert.Throws<IoBenchException>(() => Request(null, ("Repeat", true)).Answer([])).ErrorId);
    }
}
