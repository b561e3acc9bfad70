using System.Text;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class ResultFormatsTests
{
    [Fact]
    public void Every_format_has_one_descriptor_with_a_writer_and_a_reader()
    {
        Assert.Equal(Enum.GetValues<ResultFormat>().Cast<ResultFormat?>(), ResultFormats.Writable.Select(f => f.WrittenAs));
        Assert.All(ResultFormats.Writable, f => Assert.True(f.Write is not null && f.OptionName is not null, f.Name));
        Assert.All(
            ResultFormats.All,
            f => Assert.True(new object?[] { f.ReadBytes, f.ReadText, f.ReadTextWithNotes }.Count(read => read is not null) == 1, f.Name)
        );
        Assert.All(ResultFormats.All.Where(f => f.WrittenAs is null), f => Assert.True(f.Write is null && f.OptionName is null, f.Name));
    }

    [Fact]
    public void Every_result_source_has_a_tool()
    {
        Assert.Equal(
            ["SQLIO", "DiskSpd", "DiskSpd", "fio", "CrystalDiskMark", "KDiskMark", "VMFleet"],
            ResultFormats.All.Select(f => f.Source).OfType<string>().Select(ResultFormats.GetToolName)
        );
        Assert.Equal("IoBench", ResultFormats.GetToolName(IoTestResult.OwnSource));
        Assert.Null(ResultFormats.GetDescriptor(IoTestResult.OwnSource));
    }

    [Theory]
    [InlineData("sqlio", "Sqlio")]
    [InlineData("DISKSPDXML", "DiskSpdXml")]
    [InlineData("iobench", "IoBench")]
    [InlineData("ToolOfTomorrow", "ToolOfTomorrow")]
    public void Source_is_read_in_any_case_and_an_unknown_source_is_kept(string written, string read)
    {
        var json = $$"""[{"source":"{{written}}","iops":1,"bandwidthMBps":1}]""";
        var csv = $"Source,IOPS,BandwidthMBps,Label\n{written},1,1,x\n";
        Assert.Equal(read, Assert.Single(JsonFormat.Read(new MemoryStream(Encoding.UTF8.GetBytes(json)), "x")).Source);
        Assert.Equal(read, Assert.Single(CsvResultReader.Read(new StringReader(csv), "x")).Source);
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
    public void Format_name_is_resolved_to_a_writable_format(string name, ResultFormat? format) =>
        Assert.Equal(format, ResultFormats.FindWritable(name));

    [Theory]
    [InlineData("a.json", ResultFormat.Json)]
    [InlineData("a.b.CSV", ResultFormat.Csv)]
    [InlineData("a.xml", ResultFormat.DiskSpdXml)]
    [InlineData("a.txt", null)]
    [InlineData("a", null)]
    public void File_extension_determines_the_format_if_it_is_unique(string path, ResultFormat? format) =>
        Assert.Equal(format, ResultFormats.FindByExtension(path));
}
