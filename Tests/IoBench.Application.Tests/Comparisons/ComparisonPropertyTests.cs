using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class ComparisonPropertyTests
{
    private static readonly IoTestResult s_result = new()
    {
        Label = "A",
        ComputerName = "SQL1",
        SourceFile = "a.txt",
        Buffering = IoBuffering.None,
    };

    [Theory]
    [InlineData("label", "A")]
    [InlineData("computer", "SQL1")]
    [InlineData("ComputerName", "SQL1")]
    [InlineData("file", "a.txt")]
    [InlineData("buffering", "None")]
    public void Comparison_property_is_a_property_of_the_results(string name, string expected) =>
        Assert.Equal(expected, new ComparisonProperty(name).GetValue(s_result));

    [Theory]
    [InlineData("moon")]
    [InlineData("Histogram")]
    public void Comparison_property_must_be_a_flat_result_property(string name) =>
        Assert.Equal("IoBench.UnknownProperty", Assert.Throws<IoBenchException>(() => new ComparisonProperty(name)).ErrorId);

    [Fact]
    public void Comparison_value_is_found_in_any_case() => Assert.True(new ComparisonProperty("Label").AnyHasValue([s_result], "a"));

    private static IoTestResult CreateResult(string? label, string file, double iops = 1000, string? computer = null) =>
        new()
        {
            Label = label,
            SourceFile = file,
            ComputerName = computer,
            IOPattern = "8KB random read",
            BlockSizeKB = 8,
            ThreadCount = 1,
            OutstandingIO = 1,
            IOPS = iops,
        };

    [Fact]
    public void Files_are_compared_by_default_if_labels_do_not_distinguish_results()
    {
        IoTestResult[] results = [CreateResult(null, "/a/before.json"), CreateResult(null, "/b/after.json", 700)];
        var comparison = Assert.Single(ComparisonProperty.Choose(results, null, null).Compare(results, null));
        Assert.Equal(("before.json", "after.json"), (comparison.BaselineLabel, comparison.Label));
        // Each file has the same two labels, so the files are compared.
        results =
        [
            CreateResult("data", "a.json"),
            CreateResult("log", "a.json"),
            CreateResult("data", "b.json"),
            CreateResult("log", "b.json"),
        ];
        Assert.Equal("b.json", ComparisonProperty.Choose(results, null, null).GetValue(results[3]));
        // One of the files has no label, so it would be a group without a name.
        results = [CreateResult("rr", "fio.json"), CreateResult(null, "diskspd.xml")];
        Assert.Equal("diskspd.xml", ComparisonProperty.Choose(results, null, null).GetValue(results[1]));
        // Each file has one label, or one file has several labels, so the labels are compared.
        results = [CreateResult("old", "a.json"), CreateResult("new", "b.json")];
        Assert.Equal("new", ComparisonProperty.Choose(results, null, null).GetValue(results[1]));
        results = [CreateResult("old", "a.json"), CreateResult("new", "a.json")];
        Assert.Equal("new", ComparisonProperty.Choose(results, null, null).GetValue(results[1]));
        results = [CreateResult(null, "a.json", computer: "SQL1"), CreateResult(null, "a.json", computer: "SQL2")];
        Assert.Equal("SQL2", ComparisonProperty.Choose(results, null, null).GetValue(results[1]));
    }

    [Fact]
    public void Files_with_the_same_name_are_shown_with_their_folder()
    {
        IoTestResult[] results = [CreateResult(null, "sqlio.txt"), CreateResult(null, "sqlio.txt")];
        var side = ComparisonProperty.Choose(results, null, null, result => result == results[0] ? "/old/r.json" : "/new/r.json");
        Assert.Equal(("/old/r.json", "/new/r.json"), (side.Compare(results, null)[0].BaselineLabel, side.Compare(results, null)[0].Label));
        Assert.Equal("/new/r.json", side.Compare(results, "/new/r.json")[0].BaselineLabel);
    }
}
