using System.Text;
using System.Xml.Linq;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class SummaryImageTests
{
    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";

    [Fact]
    public void Image_shows_verdict_values_and_repeat_command()
    {
        var card = DrawImage(ReportSamples.CreateSqlServerSuite());
        var texts = card.Descendants(s_svg + "text").Select(text => text.Value).ToList();

        Assert.Equal("0 0 1200 630", (string?)card.Attribute("viewBox"));
        Assert.Contains(texts, text => text.StartsWith("PASS (rule sets flash, hard-limits): average log w", StringComparison.Ordinal));
        Assert.Contains("Average log write latency", texts);
        Assert.Contains("0.238 ms", texts);
        Assert.Contains("✔ pass", texts);
        Assert.Contains(texts, text => text.StartsWith(@"First test: iobench run T:\iobench.dat --block 8KB", StringComparison.Ordinal));
        Assert.Contains(texts, text => text.Contains("SQL01, T:", StringComparison.Ordinal));
    }

    [Fact]
    public void Image_escapes_user_text()
    {
        var run = ReportSamples.CreateSqlServerSuite()[0];
        (run.Path, run.ComputerName) = ("<script>alert(1)</script>", "a&b\"c");

        Assert.Empty(DrawImage([run]).Descendants(s_svg + "script"));
    }

    [Fact]
    public void Image_can_be_drawn_for_an_empty_result() => Assert.NotNull(DrawImage([new IoTestResult()]));

    [Fact]
    public void Long_verdict_is_truncated_at_a_word()
    {
        var lines = SummaryImage.WrapText(string.Join(' ', Enumerable.Repeat("word", 200)), 20, 400, 3, bold: true);

        Assert.Equal(3, lines.Count);
        Assert.EndsWith("word …", lines[^1], StringComparison.Ordinal);
    }

    private static XElement DrawImage(List<IoTestResult> results)
    {
        using var stream = new MemoryStream();
        Report.Write(stream, "card.svg", results, new());
        return XElement.Parse(Encoding.UTF8.GetString(stream.ToArray()));
    }

    private sealed class TemporaryFolder : IDisposable
    {
        public string Path { get; } = Directory.CreateTempSubdirectory("iobench-card-test-").FullName;

        public void Dispose() => Directory.Delete(Path, true);
    }
}
