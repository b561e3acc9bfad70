using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class CsvResultTests
{
    internal static string WriteText(params IoTestResult[] results)
    {
        var writer = new StringWriter();
        ResultWriter.Write(writer, results, ResultFormat.Csv);
        return writer.ToString();
    }

    internal static List<IoTestResult> ReadText(string text) => CsvResultReader.Read(new StringReader(text), "r.csv").ToList();

    [Fact]
    public void CSV_round_trip_preserves_flat_properties()
    {
        for (var seed = 0; seed < 60; seed++)
        {
            var generator = new ResultGenerator(seed);
            var results = new[] { generator.CreateResult(), generator.CreateResult() };
            var again = ReadText(WriteText(results));

            Assert.Equal(2, again.Count);
            for (var i = 0; i < 2; i++)
                foreach (var column in CsvColumn.All)
                {
                    var property = typeof(IoTestResult).GetProperty(column.Name)!;
                    DeepComparer.AssertEqual(property.GetValue(results[i]), property.GetValue(again[i]), $"seed {seed}: {column.Name}");
                }
        }
    }

    [Fact]
    public void CSV_columns_are_the_flat_properties_in_order()
    {
        var header = WriteText().TrimEnd().Split(',');

        Assert.Equal(["Source", "SourceFile", "SourceLine", "ToolVersion", "Status", "RunId", "Label"], header.Take(7));
        Assert.Contains("IOPS", header);
        Assert.Contains("P999Ms", header);
        Assert.Contains("Warnings", header);
        Assert.DoesNotContain("Specification", header);
        Assert.DoesNotContain("Histogram", header);
    }

    [Theory]
    [InlineData("=HYPERLINK(\"http://x\")", "\"'=HYPERLINK(\"\"http://x\"\")\"")]
    [InlineData("+1", "'+1")]
    [InlineData("-1", "'-1")]
    [InlineData("@x", "'@x")]
    [InlineData("\tx", "'\tx")]
    [InlineData("\rx", "\"'\rx\"")]
    [InlineData("'=x", "''=x")]
    [InlineData("a=b", "a=b")]
    public void CSV_text_is_escaped_against_formulas(string label, string field)
    {
        var text = WriteText(new IoTestResult { Label = label, Repeat = -1 });

        Assert.Contains("," + field + ",", text, StringComparison.Ordinal);
        var again = Assert.Single(ReadText(text));
        Assert.Equal(label, again.Label);
        // Numbers are not escaped.
        Assert.Contains(",-1,", text, StringComparison.Ordinal);
        Assert.Equal(-1, again.Repeat);
    }

    [Fact]
    public void CSV_numbers_do_not_depend_on_the_culture()
    {
        var culture = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo("de-DE");
            var text = WriteText(new IoTestResult { IOPS = 1234.5, StartTime = new DateTimeOffset(2026, 11, 21, 9, 30, 0, TimeSpan.Zero) });
            Assert.Contains(",1234.5,", text, StringComparison.Ordinal);
            Assert.Contains("2026-11-21T09:30:00", text, StringComparison.Ordinal);
            Assert.Equal(1234.5, ReadText(text)[0].IOPS);
        }
        finally
        {
            CultureInfo.CurrentCulture = culture;
        }
    }

    [Theory]
    [InlineData("IOPS,Label,BandwidthMBps\n5,x,1\n")]
    [InlineData("label;iops;bandwidthmbps\r\nx;5;1")]
    [InlineData("Label\tIOPS\tBandwidthMBps\nx\t5\t1\n\n")]
    [InlineData(
        "#TYPE IoBench.Engine.IoTestResult\n\"Label\",\"IOPS\",\"BandwidthMBps\",\"Specification\"\n\"x\",\"5\",\"1\",\"IoBench.Engine.IoTestSpecification\"\n"
    )]
    public void CSV_is_read_in_any_column_order_with_any_separator(string text)
    {
        Assert.True(CsvResultReader.LooksLike(text));
        var result = Assert.Single(ReadText(text));
        Assert.Equal((5.0, "x", 1.0), (result.IOPS, result.Label, result.BandwidthMBps));
        Assert.Empty(result.Warnings);
    }

    [Fact]
    public void Invalid_CSV_values_have_warnings_with_the_line_number()
    {
        var results = ReadText("IOPS,Label,Path,Colour\nfast,x,p,red\n5,y,p\n6\n");

        Assert.Equal(
            [
                "line 2: 'fast' is an invalid value for IOPS.",
                "line 1: IoBench ignores these columns, because they are not result columns: Colour.",
            ],
            results[0].Warnings
        );
        Assert.Equal(["line 3: the row has 3 fields, but the header has 4 columns."], results[1].Warnings);
        Assert.Equal(["line 4: the row has 1 field, but the header has 4 columns."], results[2].Warnings);
    }

    [Theory]
    [InlineData("IOPS,Label,Path\n5,\"x,p\n")]
    public void Unclosed_quotation_mark_throws_with_the_line_number(string text)
    {
        var error = Assert.Throws<IoBenchException>(() => ReadText(text));
        Assert.Equal(("IoBench.InvalidCsv", "r.csv line 2: a closing quotation mark is missing."), (error.ErrorId, error.Message));
    }

    [Theory]
    [InlineData("name,value,more\n1,2,3\n")]
    [InlineData("IOPS,value,more\n1,2,3\n")]
    [InlineData("")]
    public void Other_CSV_tables_are_not_recognized(string text) => Assert.False(CsvResultReader.LooksLike(text));

    [Fact]
    public void CSV_header_without_result_columns_throws()
    {
        var error = Assert.Throws<IoBenchException>(() => ReadText("Name,City\nA,B\n"));
        Assert.Equal("IoBench.InvalidCsv", error.ErrorId);
        Assert.StartsWith("r.csv line 1: the header contains no result column", error.Message, StringComparison.Ordinal);
    }
}
