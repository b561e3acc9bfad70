using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>Reads the output of Export-Csv of any culture, independent of the current culture.</summary>
public class CsvCultureTests
{
    private static (List<IoTestResult> Results, List<string> Notes) ReadText(string text)
    {
        List<string> notes = [];
        return (CsvResultReader.Read(new StringReader(text), "r.csv", notes.Add).ToList(), notes);
    }

    [Theory]
    [InlineData("IOPS,P50Ms,Label\n\"12172,5\",\"1,234\",x\n", 12172.5, 1.234)]
    [InlineData("IOPS;P50Ms;Label\n12172,5;1,2E-06;x\n", 12172.5, 1.2e-6)]
    [InlineData("IOPS;P50Ms;Label\n12172,5;1,2E\u221206;x\n", 12172.5, 1.2e-6)]
    [InlineData("\"IOPS\",\"P50Ms\",\"Label\"\n\"1\u066B5\",\"1\u066B2E\u200E\u221206\",x\n", 1.5, 1.2e-6)]
    [InlineData("\"IOPS\"\u061B\"P50Ms\"\u061B\"Label\"\n\"1\u066B5\"\u061B\"1\u066B234\"\u061B\"x\"\n", 1.5, 1.234)]
    [InlineData("IOPS,P50Ms,Label\n12172.5,1.234,x\n", 12172.5, 1.234)]
    [InlineData("IOPS,P50Ms,Label\n1.234,5,x\n", 1.234, 5.0)]
    public void Decimal_separator_is_detected_from_the_file(string text, double iops, double median)
    {
        Assert.True(CsvResultReader.LooksLike(text));
        var (results, notes) = ReadText(text);
        Assert.Equal((iops, median), (results[0].IOPS, results[0].P50Ms));
        Assert.Empty(notes);
        Assert.Empty(results[0].Warnings);
    }

    [Theory]
    [InlineData("\"1,234\"", "5")]
    [InlineData("\"1,234\"", "0.5")]
    [InlineData("\"0,5\"", "0.5")]
    [InlineData("\"1,234,567\"", "\"0,5\"")]
    [InlineData("1.234", "\"0,5\"")]
    public void Ambiguous_comma_is_not_read_as_a_number_and_has_a_note(string iops, string median)
    {
        var (results, notes) = ReadText($"IOPS,P50Ms,Label\n{iops},{median},x\n");
        Assert.Null(results[0].IOPS);
        Assert.StartsWith(
            $"r.csv: IoBench ignores 1 number (first: line 2: IOPS '{iops.Trim('"')}'), because the file does not show",
            Assert.Single(notes),
            StringComparison.Ordinal
        );
        Assert.Single(results[0].Warnings);
    }

    [Fact]
    public void Later_record_resolves_ambiguous_values_of_the_first()
    {
        var (results, notes) = ReadText(
            "IOPS,StartTime,Label\n\"1,234\",\"05/03/2026 22:04:05 +00:00\",x\n\"0,5\",\"05/03/2026 23:00:00 +00:00\",x\n"
        );
        Assert.Equal(1.234, results[0].IOPS);
        Assert.Equal(new DateTimeOffset(2026, 3, 5, 22, 4, 5, TimeSpan.Zero), results[0].StartTime);
        Assert.Empty(notes);
    }

    [Theory]
    [InlineData("2026-03-01T22:04:05.0000000+01:00")]
    [InlineData("2026-03-01 22:04:05 +01:00")]
    [InlineData("01.03.2026 22:04:05 +01:00")]
    [InlineData("1.03.2026 22:04:05 +01:00")]
    [InlineData("1.3.2026 22.04.05 +01:00")]
    [InlineData("2026. 03. 01. 22:04:05 +01:00")]
    [InlineData("2026/3/1 22:04:05 +01:00")]
    [InlineData("1404/12/10 22:04:05 +01:00")]
    [InlineData("AP 1404/12/10 22:04:05 +01:00")]
    [InlineData("1 Mar 2026 21:04:05")]
    public void Unambiguous_time_of_any_culture_is_read(string text)
    {
        var (results, notes) = ReadText($"IOPS,StartTime,Label\n5,{text},x\n");
        Assert.Equal(new DateTimeOffset(2026, 3, 1, 22, 4, 5, TimeSpan.FromHours(1)), results[0].StartTime);
        Assert.Empty(notes);
    }

    [Theory]
    [InlineData("1/3/2026 10:04:05 PM +01:00", "1/20/2026 10:04:05 PM +01:00", 1, 3)]
    [InlineData("01/03/2026 22:04:05 +01:00", "20/01/2026 22:04:05 +01:00", 3, 1)]
    [InlineData("1\u200F/3\u200F/2026 10:04:05 م +01:00", "20/01/2026 10:04:05 م +01:00", 3, 1)]
    [InlineData("1/3/2569 22:04:05 +01:00", "20/1/2569 22:04:05 +01:00", 3, 1)]
    public void Day_above_12_determines_the_date_order(string text, string other, int month, int day)
    {
        var (results, notes) = ReadText($"IOPS,StartTime,Label\n5,{text},x\n5,{other},x\n");
        Assert.Equal(new DateTimeOffset(2026, month, day, 22, 4, 5, TimeSpan.FromHours(1)), results[0].StartTime);
        Assert.Empty(notes);
    }

    [Theory]
    [InlineData("01/03/2026 22:04:05 +01:00")]
    [InlineData("1/3/2026 10:04:05 pm +01:00")]
    [InlineData("01-03-2026 22:04:05 +01:00")]
    [InlineData("12/9/1447 10:04:05 م +01:00")]
    [InlineData("1.3.2026 10:04:05 pasdites +01:00")]
    [InlineData("31.02.2026 22:04:05 +01:00")]
    [InlineData("01.03.26 22:04")]
    public void Ambiguous_time_is_not_read_and_has_a_note(string text)
    {
        var (results, notes) = ReadText($"IOPS,StartTime,Label\n5,{text},x\n");
        Assert.Null(results[0].StartTime);
        Assert.StartsWith(
            $"r.csv: IoBench ignores 1 time (first: line 2: StartTime '{text}'), because the file does not show",
            Assert.Single(notes),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("1/3/2026 10:04:05 PM +01:00")]
    [InlineData("1/3/2026 10:04:05\u202FPM +01:00")]
    public void US_time_is_read_with_the_month_first_and_has_a_note(string text)
    {
        var (results, notes) = ReadText($"IOPS,StartTime,Label\n5,{text},x\n");
        Assert.Equal(new DateTimeOffset(2026, 1, 3, 22, 4, 5, TimeSpan.FromHours(1)), results[0].StartTime);
        Assert.StartsWith(
            "r.csv: IoBench reads dates with the month before the day (US format)",
            Assert.Single(notes),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Results_before_an_invalid_CSV_record_are_returned()
    {
        var read = new List<IoTestResult>();
        Assert.Throws<IoBenchException>(() =>
        {
            foreach (var result in CsvResultReader.Read(new StringReader("IOPS,Label,Path\n5,x,p\n6,\"y,p\n"), "r.csv"))
                read.Add(result);
        });
        Assert.Equal(5, Assert.Single(read).IOPS);
    }
}
