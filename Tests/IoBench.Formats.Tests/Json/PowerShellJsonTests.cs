using System.Text;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class PowerShellJsonTests
{
    private static List<IoTestResult> ReadJson(string text) =>
        JsonFormat.Read(new MemoryStream(Encoding.UTF8.GetBytes(text)), "x.json").ToList();

    [Theory]
    [InlineData("{0}")]
    [InlineData("[{0},{0}]")]
    public void Durations_written_as_objects_are_read(string list)
    {
        const string result =
            """{"Source":"IoBench","IOPS":5,"Operation":0,"Specification":{"Duration":{"Ticks":300000000,"Days":0,"TotalSeconds":30.0},"WarmUp":"00:00:05"},"Warnings":["a","b"]}""";
        var read = ReadJson(list.Replace("{0}", result, StringComparison.Ordinal))[0];
        Assert.Equal((TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(5)), (read.Specification!.Duration, read.Specification.WarmUp));
        Assert.Equal(["a", "b"], read.Warnings);
    }

    [Theory]
    [InlineData("\"a; b\"", 2)]
    [InlineData("null", 0)]
    [InlineData("[]", 0)]
    public void Warnings_written_as_one_text_are_read(string warnings, int count) =>
        Assert.Equal(count, ReadJson($$"""{"Source":"IoBench","Status":"Complete","IOPS":5,"Warnings":{{warnings}}}""")[0].Warnings.Count);

    [Theory]
    [InlineData("""{"Source":"IoBench","Specification":{"Duration":{"Days":0}}}""")]
    [InlineData("""{"Source":"IoBench","Specification":{"Duration":5}}""")]
    [InlineData("""{"Source":"IoBench","Warnings":5}""")]
    public void Invalid_PowerShell_JSON_throws_with_the_line_number(string text) =>
        Assert.StartsWith(
            "x.json line 1: not a result",
            Assert.Throws<IoBenchException>(() => ReadJson(text)).Message,
            StringComparison.Ordinal
        );
}
