namespace IoBench.Application.Tests;

/// <summary>The parser is strict: each broken text is refused for the reason that is tested.</summary>
public class OpenMetricsParserTests
{
    private const string Valid =
        "# TYPE a_seconds histogram\n# UNIT a_seconds seconds\n# HELP a_seconds Text.\n"
        + "a_seconds_bucket{x=\"1\",le=\"0.5\"} 1\na_seconds_bucket{x=\"1\",le=\"+Inf\"} 2\na_seconds_sum{x=\"1\"} 1.5\na_seconds_count{x=\"1\"} 2\n"
        + "# TYPE b gauge\nb{x=\"\\\\ \\\" \\n\"} -1.5E-05\n# EOF\n";

    [Fact]
    public void Valid_text_is_read()
    {
        var samples = OpenMetricsParser.Parse(Valid);
        Assert.Equal(5, samples.Count);
        Assert.Equal("\\ \" \n", samples[^1]["x"]);
        Assert.Equal(-1.5E-05, samples[^1].Value);
    }

    [Theory]
    [InlineData("# EOF\n", "", "EOF")]
    [InlineData("# TYPE b gauge\n", "# EOF\n# TYPE b gauge\n", "not a descriptor")]
    [InlineData("# EOF\n", "# EOF\n# EOF\n", "not a descriptor")]
    [InlineData("# TYPE b gauge\n", "# TYPE b gauge\n\n", "not a sample")]
    [InlineData("# TYPE b gauge\n", "# a comment\n# TYPE b gauge\n", "not a descriptor")]
    [InlineData("# TYPE b gauge\nb{", "# TYPE b counter\nb_total{", "type counter")]
    [InlineData("# UNIT a_seconds seconds", "# UNIT a_seconds ms", "its unit ms")]
    [InlineData("# HELP a_seconds Text.", "# TYPE a_seconds histogram", "two lines TYPE")]
    [InlineData("-1.5E-05", "-1.5E-05 1764271831", "not a sample")]
    [InlineData("-1.5E-05", "1,5", "not a sample")]
    [InlineData("-1.5E-05\n", "-1.5E-05\n# HELP b Text.\n", "follows the samples")]
    [InlineData("-1.5E-05\n", "-1.5E-05\n# TYPE a_seconds gauge\n", "two blocks")]
    [InlineData("-1.5E-05\n", "-1.5E-05\nc 1\n", "not in the block")]
    [InlineData("-1.5E-05\n", "-1.5E-05\nb{x=\"1\"} 1\nb{x=\"1\"} 2\n", "duplicate")]
    [InlineData("-1.5E-05\n", "-1.5E-05\n# TYPE b_total gauge\nb_total 1\n", "clashes")]
    [InlineData("-1.5E-05\n", "-1.5E-05\n# TYPE c gauge\n", "no sample")]
    [InlineData("\\n\"}", "\\t\"}", "bad escape")]
    [InlineData("\\n\"}", "\\n\",x=\"2\"}", "twice")]
    [InlineData("\\n\"}", "\\n\",__x=\"2\"}", "reserved")]
    [InlineData("\\n\"}", "\\n\";y=\"2\"}", "bad separator")]
    [InlineData("le=\"0.5\"} 1", "le=\"0.5\"} 3", "not cumulative")]
    [InlineData("le=\"0.5\"", "le=\".5\"", "not canonical")]
    [InlineData("le=\"0.5\"", "le=\"1\"", "not canonical")]
    [InlineData("le=\"0.5\"} 1", "le=\"0.5\"} 0.5", "not a count")]
    [InlineData("a_seconds_count{x=\"1\"} 2", "a_seconds_count{x=\"1\"} 3", "not the count")]
    [InlineData("a_seconds_sum{x=\"1\"} 1.5\n", "", "no sum")]
    [InlineData("a_seconds_bucket{x=\"1\",le=\"+Inf\"} 2\n", "", "+Inf")]
    [InlineData("a_seconds_sum{x=\"1\"} 1.5\n", "a_seconds_sum{x=\"2\"} 1.5\n", "apart")]
    [InlineData("b{x", "b{x=\"1\"} 1\r\nb{x", "CR")]
    public void Broken_text_is_refused(string part, string replacement, string reason)
    {
        Assert.Contains(part, Valid, StringComparison.Ordinal);
        var broken = Valid.Replace(part, replacement, StringComparison.Ordinal);
        Assert.Contains(reason, Assert.Throws<FormatException>(() => OpenMetricsParser.Parse(broken)).Message, StringComparison.Ordinal);
    }
}
