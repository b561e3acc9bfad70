using System.Text;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class PowerShellJsonTests
{
    private static List<IoTestResult> Read(string text) =>
        JsonResultReader.Read(new MemoryStream(Encoding.UTF8.GetBytes(text)), "x.json").ToList();

    [Theory]
    [InlineData("{0}")]
    [InlineData("[{0},{0}]")]
    public void Durations_may_be_objects(string list)
    {
        const string result =
            """{"Source":"IoBench","IOPS":5,"Operation":0,"Specification":{"Duration":{"Ticks":300000000,"Days":0,"TotalSeconds":30.0},"WarmUp":"00:00:05"},"Warnings":["a","b"]}""";
        var read = Read(list.Replace("{0}", result, StringComparison.Ordinal))[0];
        Assert.Equal((TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(5)), (read.Specification!.Duration, read.Specification.WarmUp));
        Assert.Equal(["a", "b"], read.Warnings);
    }

    [Theory]
    [InlineData("\"a; b\"", 2)]
    [InlineData("null", 0)]
    [InlineData("[]", 0)]
    public void Warnings_of_a_row_are_one_text(string warnings, int count) =>
        Assert.Equal(count, Read($$"""{"Source":"IoBench","Status":"Complete","IOPS":5,"Warnings":{{warnings}}}""")[0].Warnings.Count);

    [Theory]
    [InlineData("""{"Source":"IoBench","Specification":{"Duration":{"Days":0}}}""")]
    [InlineData("""{"Source":"IoBench","Specification":{"Duration":5}}""")]
    [InlineData("""{"Source":"IoBench","Warnings":5}""")]
    public void What_is_neither_is_an_error_with_its_line(string text) =>
        Assert.StartsWith(
            "x.json line 1: not a result",
            Assert.Throws<IoBenchException>(() => Read(text)).Message,
            StringComparison.Ordinal
        );
}
