namespace IoBench.Formats.Tests;

public class VmFleetTests
{
    private static readonly string s_table = File.ReadAllText(SampleFiles.GetPath("vmfleet", "result.tsv"));

    [Fact]
    public void Averaged_percentiles_are_tool_details()
    {
        var result = VmFleetFormat.Read(new StringReader(s_table), "x").First();

        Assert.Empty(result.Percentiles);
        Assert.Null(result.P99Ms);
        Assert.True(result.ToolDetails.ContainsKey("ReadMilliseconds99"));
        Assert.Equal(("500", "20"), (result.ToolDetails["QOSperVM"], result.ToolDetails["VMCount"]));
    }

    [Fact]
    public void Repeated_header_is_not_a_result() => Assert.Equal(6, VmFleetFormat.Read(new StringReader(s_table + s_table), "x").Count());

    [Fact]
    public void Invalid_number_has_a_warning_with_the_line_number()
    {
        var result = VmFleetFormat.Read(new StringReader("IOPS\tAVRLat\tAVWLat\nmany\t0.001\t0\n"), "x").Single();

        Assert.Null(result.IOPS);
        Assert.Contains("line 2: 'many' is not a valid number in the column IOPS", Assert.Single(result.Warnings));
    }

    [Fact]
    public void Lines_without_values_are_counted_in_a_warning()
    {
        var result = VmFleetFormat.Read(new StringReader("IOPS\tAVRLat\tAVWLat\n\t\t\ta remark\n100\t0.001\t0\n\t\n"), "x").Single();

        Assert.Equal((100.0, 3), (result.IOPS!.Value, result.SourceLine!.Value));
        Assert.Contains("IoBench skipped 2 lines without values. The first one is line 2.", result.Warnings);
    }

    [Fact]
    public void Impossible_value_is_not_read()
    {
        var result = VmFleetFormat.Read(new StringReader("IOPS\tAVRLat\tAVWLat\n100\t1e306\t0\n"), "x").Single();

        Assert.Null(result.ReadAverageLatencyMs);
        Assert.Contains("'1e306' is not a valid number in the column AVRLat", Assert.Single(result.Warnings));
    }

    [Fact]
    public void Table_with_IoBench_column_names_is_recognized_as_VMFleet()
    {
        var table = s_table
            .Replace("\"PowerScheme\"", "\"Path\"", StringComparison.Ordinal)
            .Replace("\"ComputeTemplate\"", "\"ComputerName\"", StringComparison.Ordinal);
        Assert.Equal("VMFleet's table", ResultFormats.DetectFormat(table)!.Name);
    }
}
