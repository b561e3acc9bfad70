using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class ComparisonSideTests
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
    public void A_side_is_a_property_of_the_results(string name, string expected) =>
        Assert.Equal(expected, new ComparisonSide(name).Of(s_result));

    [Theory]
    [InlineData("moon")]
    [InlineData("Histogram")]
    public void What_is_no_flat_property_of_a_result_is_refused(string name) =>
        Assert.Equal("IoBench.UnknownProperty", Assert.Throws<IoBenchException>(() => new ComparisonSide(name)).ErrorId);

    [Fact]
    public void A_value_is_found_upper_or_lower_case() => Assert.True(new ComparisonSide("Label").Has([s_result], "a"));

    private static IoTestResult Of(string? label, string file, double iops = 1000, string? computer = null) =>
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
    public void Without_a_name_files_are_sides_where_labels_tell_nothing_apart()
    {
        IoTestResult[] results = [Of(null, "/a/before.json"), Of(null, "/b/after.json", 700)];
        var comparison = Assert.Single(ComparisonSide.Choose(results, null, null).Compare(results, null));
        Assert.Equal(("before.json", "after.json"), (comparison.BaselineLabel, comparison.Label));
        // Each file has the same two labels, so the files are compared.
        results = [Of("data", "a.json"), Of("log", "a.json"), Of("data", "b.json"), Of("log", "b.json")];
        Assert.Equal("b.json", ComparisonSide.Choose(results, null, null).Of(results[3]));
        // One of the files has no label, so it would be a group without a name.
        results = [Of("rr", "fio.json"), Of(null, "diskspd.xml")];
        Assert.Equal("diskspd.xml", ComparisonSide.Choose(results, null, null).Of(results[1]));
        // Each file has one label, or one file has several labels, so the labels are compared.
        results = [Of("old", "a.json"), Of("new", "b.json")];
        Assert.Equal("new", ComparisonSide.Choose(results, null, null).Of(results[1]));
        results = [Of("old", "a.json"), Of("new", "a.json")];
        Assert.Equal("new", ComparisonSide.Choose(results, null, null).Of(results[1]));
        results = [Of(null, "a.json", computer: "SQL1"), Of(null, "a.json", computer: "SQL2")];
        Assert.Equal("SQL2", ComparisonSide.Choose(results, null, null).Of(results[1]));
    }

    [Fact]
    public void The_file_that_was_read_now_counts_and_files_of_one_name_keep_their_folder()
    {
        IoTestResult[] results = [Of(null, "sqlio.txt"), Of(null, "sqlio.txt")];
        var side = ComparisonSide.Choose(results, null, null, result => result == results[0] ? "/old/r.json" : "/new/r.json");
        Assert.Equal(("/old/r.json", "/new/r.json"), (side.Compare(results, null)[0].BaselineLabel, side.Compare(results, null)[0].Label));
        Assert.Equal("/new/r.json", side.Compare(results, "/new/r.json")[0].BaselineLabel);
    }
}
