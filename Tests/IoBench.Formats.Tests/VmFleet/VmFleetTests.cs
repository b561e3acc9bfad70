namespace IoBench.Formats.Tests;

public class VmFleetTests
{
    private static readonly string s_table = File.ReadAllText(Samples.Path("vmfleet", "result.tsv"));

    [Fact]
    public void Averages_of_percentiles_are_kept_as_what_they_are()
    {
        var result = VmFleetReader.Read(new StringReader(s_table), "x").First();

        Assert.Empty(result.Percentiles);
        Assert.Null(result.P99Ms);
        Assert.True(result.ToolDetails.ContainsKey("ReadMilliseconds99"));
        Assert.Equal(("500", "20"), (result.ToolDetails["QOSperVM"], result.ToolDetails["VMCount"]));
    }

    [Fact]
    public void A_header_that_was_appended_again_is_no_result() =>
        Assert.Equal(6, VmFleetReader.Read(new StringReader(s_table + s_table), "x").Count());

    [Fact]
    public void What_is_no_number_is_a_warning_with_its_line()
    {
        var result = VmFleetReader.Read(new StringReader("IOPS\tAVRLat\tAVWLat\nmany\t0.001\t0\n"), "x").Single();

        Assert.Null(result.IOPS);
        Assert.Contains("line 2: 'many' is not a number for IOPS", Assert.Single(result.Warnings));
    }

    [Fact]
    public void Lines_without_a_figure_are_none_and_counted()
    {
        var result = VmFleetReader.Read(new StringReader("IOPS\tAVRLat\tAVWLat\n\t\t\ta remark\n100\t0.001\t0\n\t\n"), "x").Single();

        Assert.Equal((100.0, 3), (result.IOPS!.Value, result.SourceLine!.Value));
        Assert.Contains("2 lines without any figure left out, the first is line 2.", result.Warnings);
    }

    [Fact]
    public void A_figure_that_no_fleet_reaches_is_none()
    {
        var result = VmFleetReader.Read(new StringReader("IOPS\tAVRLat\tAVWLat\n100\t1e306\t0\n"), "x").Single();

        Assert.Null(result.ReadAverageLatencyMs);
        Assert.Contains("'1e306' is not a number for AVRLat", Assert.Single(result.Warnings));
    }

    [Fact]
    public void A_table_whose_columns_are_named_like_ours_is_still_VMFleets()
    {
        var table = s_table
            .Replace("\"PowerScheme\"", "\"Path\"", StringComparison.Ordinal)
            .Replace("\"ComputeTemplate\"", "\"ComputerName\"", StringComparison.Ordinal);
        Assert.Equal("VMFleet's table", ResultFormats.Recognise(table)!.Name);
    }
}
