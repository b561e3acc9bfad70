using System.Text;
using IoBench.Analysis;

namespace IoBench.Cli.Tests;

public class AnalysisJsonTests
{
    [Fact]
    public void Large_value_is_written_in_parts()
    {
        var result = new ErrorLogResult
        {
            Logs =
            [
                .. Enumerable
                    .Range(0, 20_000)
                    .Select(i => new ErrorLogSource($"ERRORLOG é 錄 😀 {i}", DateTime.MinValue, DateTime.MaxValue, i)),
            ],
            Files = [],
            Timeline = [],
            Interval = TimeSpan.FromHours(1),
            EventCount = 0,
        };
        using var writer = new PartWriter();
        AnalysisJson.WriteLine(writer, result);
        Assert.Equal(AnalysisJson.Serialize(result) + writer.NewLine, writer.ToString());
        // The JSON has more than 3 million characters.
        Assert.InRange(writer.LongestPart, 1, 100_000);
    }

    private sealed class PartWriter : StringWriter
    {
        public int LongestPart { get; private set; }

        public override Encoding Encoding => Encoding.UTF8;

        public override void Write(char[] buffer, int index, int count)
        {
            LongestPart = Math.Max(LongestPart, count);
            base.Write(buffer, index, count);
        }
    }
}
