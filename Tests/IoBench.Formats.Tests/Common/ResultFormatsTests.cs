using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class ResultFormatsTests
{
    [Fact]
    public void Every_name_of_a_format_has_one_descriptor_that_writes_and_reads()
    {
        Assert.Equal(Enum.GetValues<ResultFormat>().Cast<ResultFormat?>(), ResultFormats.Writable.Select(f => f.WrittenAs));
        Assert.All(ResultFormats.Writable, f => Assert.True(f.Write is not null && f.OptionName is not null, f.Name));
        Assert.All(ResultFormats.All, f => Assert.True(f.ReadBytes is null != f.ReadText is null, f.Name));
        Assert.All(ResultFormats.All.Where(f => f.WrittenAs is null), f => Assert.True(f.Write is null && f.OptionName is null, f.Name));
    }

    [Fact]
    public void Every_source_of_results_has_its_tool()
    {
        Assert.Equal(["IoBench", "SQLIO", "DiskSpd", "DiskSpd", "fio", "CrystalDiskMark", "VMFleet"], Enum.GetValues<IoResultSource>().Select(ResultFormats.ToolOf));
        Assert.All(Enum.GetValues<IoResultSource>().Where(s => s != IoResultSource.IoBench), s => Assert.NotNull(ResultFormats.Of(s)));
    }

    [Theory]
    [InlineData("json", ResultFormat.Json)]
    [InlineData("CSV", ResultFormat.Csv)]
    [InlineData("Sqlio", ResultFormat.Sqlio)]
    [InlineData("diskspd", ResultFormat.DiskSpd)]
    [InlineData("diskspd-xml", ResultFormat.DiskSpdXml)]
    [InlineData("DiskSpdXml", ResultFormat.DiskSpdXml)]
    [InlineData("xml", ResultFormat.DiskSpdXml)]
    [InlineData("txt", null)]
    [InlineData("", null)]
    [InlineData("table", null)]
    public void A_name_means_a_format_that_is_written(string name, ResultFormat? format) => Assert.Equal(format, ResultFormats.FindWritable(name));

    [Theory]
    [InlineData("a.json", ResultFormat.Json)]
    [InlineData("a.b.CSV", ResultFormat.Csv)]
    [InlineData("a.xml", ResultFormat.DiskSpdXml)]
    [InlineData("a.txt", null)]
    [InlineData("a", null)]
    public void A_files_name_tells_the_format_where_only_one_ends_so(string path, ResultFormat? format) => Assert.Equal(format, ResultFormats.ForFile(path));
}
