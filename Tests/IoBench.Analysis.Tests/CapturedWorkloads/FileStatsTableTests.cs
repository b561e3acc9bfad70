using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Analysis.Tests;

/// <summary>All texts hold the same 60 s: data reads with 500 IOPS of 32 KB and 2 ms, log writes with 200 IOPS of 16 KB and 0.25 ms.</summary>
public sealed class FileStatsTableTests : IDisposable
{
    private readonly string _path = Path.GetTempFileName();

    private static readonly string[] s_names = File.ReadLines(GetSample("filestats-sqlcmd-footer.csv")).First().Split(',');

    private static readonly string[][] s_rows =
    [
        .. File.ReadLines(GetSample("filestats-sqlcmd-footer.csv")).Skip(2).Take(4).Select(line => line.Split(',')),
    ];

    private static string GetSample(string name) => SampleFiles.GetPath("cases", name);

    public void Dispose() => File.Delete(_path);

    private static void AssertLoads(string path)
    {
        var load = CapturedWorkload.FromSnapshots(FileStatsSnapshot.LoadFile(path));

        Assert.Equal((60.0, 2), (load.Seconds, load.Loads.Count));
        var read = load.Loads[0];
        var write = load.Loads[1];
        Assert.Equal(
            ("data", IoOperation.Read, 500.0, 32.0, 2.0),
            (read.Role, read.Operation, read.IOPS, read.BlockSizeKB, read.LatencyMs)
        );
        Assert.Equal(
            ("log", IoOperation.Write, 200.0, 16.0, 0.25),
            (write.Role, write.Operation, write.IOPS, write.BlockSizeKB, write.LatencyMs)
        );
    }

    private void AssertTextHasLoads(string text, Encoding? encoding = null)
    {
        File.WriteAllText(_path, text, encoding ?? new UTF8Encoding(false));
        AssertLoads(_path);
    }

    private string ReadError(string text)
    {
        File.WriteAllText(_path, text);
        var error = Assert.Throws<IoBenchException>(() => FileStatsSnapshot.LoadFile(_path));
        Assert.Equal("IoBench.InvalidFileStats", error.ErrorId);
        return error.Message;
    }

    private static string Join(string separator, Func<string, string>? format = null, string lineEnd = "\r\n") =>
        string.Join(separator, s_names)
        + lineEnd
        + string.Concat(
            s_rows.Select(row =>
                string.Join(separator, row.Select((text, i) => i >= 6 && format is not null ? format(text) : text)) + lineEnd
            )
        );

    private static string Group(string text, string separator) =>
        long.Parse(text, CultureInfo.InvariantCulture)
            .ToString("#,0", CultureInfo.InvariantCulture)
            .Replace(",", separator, StringComparison.Ordinal);

    [Theory]
    [InlineData("filestats-sqlcmd-footer.csv")]
    [InlineData("filestats-german-grouped.csv")]
    [InlineData("filestats-results-to-text.rpt")]
    public void File_statistics_of_a_sample_are_read(string name) => AssertLoads(GetSample(name));

    [Theory]
    [InlineData("\n(4 rows affected)\n")]
    [InlineData("\r\n(4 Zeilen betroffen)\r\n\r\nAbschlusszeit: 2026-10-05T14:01:02.1234567+02:00\r\n")]
    [InlineData("\n(4 lignes affectées)\nHeure d’achèvement : 2026-10-05T14:01:02.1234567+02:00\n")]
    [InlineData("\n(1 row affected)\n\nCompletion time: 2026-10-05T12:01:02Z\n")]
    public void Footer_is_skipped(string footer) => AssertTextHasLoads(Join(",") + footer);

    [Theory]
    [InlineData("\t")]
    [InlineData(";")]
    [InlineData("|")]
    [InlineData(",")]
    public void Separator_is_detected(string separator)
    {
        AssertTextHasLoads(Join(separator, lineEnd: "\n"));
        AssertTextHasLoads(Join(separator), Encoding.Unicode);
        AssertTextHasLoads("sep=;\r\nChanged database context to 'master'.\r\n" + Join(separator), Encoding.UTF8);
    }

    [Theory]
    [InlineData(";", ".")]
    [InlineData(";", "\u202F")]
    [InlineData(";", "\u00A0")]
    [InlineData(";", "\u2019")]
    [InlineData(";", "'")]
    [InlineData("\t", ",")]
    [InlineData(";", "\uFFFD")]
    public void Groups_of_digits_are_read(string separator, string group) =>
        AssertTextHasLoads(Join(separator, text => Group(text, group)));

    [Theory]
    [InlineData(".", ",00")]
    [InlineData(",", ".00")]
    [InlineData("", ".0")]
    [InlineData("", ",0")]
    [InlineData("\u00A0", ",00")]
    public void Decimals_are_read(string group, string decimals) => AssertTextHasLoads(Join(";", text => Group(text, group) + decimals));

    [Fact]
    public void Indian_groups_are_read() =>
        AssertTextHasLoads(
            Join("\t", text => long.Parse(text, CultureInfo.InvariantCulture).ToString("#,0", CultureInfo.GetCultureInfo("en-IN")))
        );

    [Fact]
    public void Ambiguous_numbers_are_refused() =>
        Assert.Contains(
            "ambiguous",
            ReadError(
                Join(
                    ";",
                    text =>
                        text.Length == 9 ? "1.024"
                        : text.Length > 3 ? "2.000"
                        : text
                )
            )
        );

    [Theory]
    [InlineData("655360000", "655,360,000", "several cultures")]
    [InlineData("500000", "500000", "different formats")]
    [InlineData("655360000", "6,5536E+08", "rounded")]
    public void Numbers_of_several_formats_are_refused(string number, string written, string reason) =>
        Assert.Contains(reason, ReadError(Join(";", text => text == number ? written : Group(text, "."))));

    [Fact]
    public void Columns_of_fixed_width_are_read()
    {
        string Pad(IReadOnlyList<string> fields) =>
            string.Join(' ', fields.Select((field, i) => i is 4 or 5 ? field.PadRight(30) : field.PadLeft(30)));
        var lines = new[] { Pad(s_names), Pad([.. s_names.Select(_ => new string('-', 30))]) }.Concat(s_rows.Select(Pad)).ToList();

        AssertTextHasLoads(string.Join("\r\n", lines) + "\r\n\r\n(4 rows affected)\r\n");
        // sqlcmd repeats the header with -h2.
        AssertTextHasLoads(string.Join("\n", lines.Take(4).Concat(lines.Take(2)).Concat(lines.Skip(4))) + "\n");
        Assert.Contains("has fewer columns than the header", ReadError(string.Join('\n', lines.Select(line => line.Insert(80, "\n")))));
    }

    [Fact]
    public void Trimmed_columns_of_sqlcmd_are_read()
    {
        var text = Join(" ", lineEnd: "\n").Replace("M:\\data\\Orders.mdf", "M:\\my data\\Orders 2.mdf", StringComparison.Ordinal);
        var ruler = string.Join(' ', s_names.Select(name => new string('-', name.Length)));

        AssertTextHasLoads(text.Insert(text.IndexOf('\n', StringComparison.Ordinal) + 1, ruler + "\n"));
    }

    [Fact]
    public void Rows_of_the_query_without_a_header_are_read()
    {
        var text = Join(",");

        var rows = text[(text.IndexOf('\n', StringComparison.Ordinal) + 1)..];
        AssertTextHasLoads(rows);
        // The query also has the column size_on_disk_bytes.
        AssertTextHasLoads(rows.ReplaceLineEndings("\n").Replace("\n", ",1073741824\n", StringComparison.Ordinal));
        Assert.Contains("column names", ReadError("1,2,3\n4,5,6\n"));
    }

    [Fact]
    public void Separator_in_a_name_without_quotation_marks_is_refused()
    {
        var text = Join(",", lineEnd: "\n").Replace(@"M:\data\Orders.mdf", @"M:\data, old\Orders.mdf", StringComparison.Ordinal);
        Assert.Contains("line 2: the line has 16 fields, but the header has only 15", ReadError(text), StringComparison.Ordinal);
        AssertTextHasLoads(
            text.Replace(@"M:\data, old\Orders.mdf", @"""M:\data, old\Orders.mdf""", StringComparison.Ordinal)
                .Replace("\n", ",\n", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Rows_of_Azure_SQL_Database_are_read() =>
        AssertTextHasLoads(
            Join(",").Replace("M:\\data\\Orders.mdf", "https://x.blob.core.windows.net/data/a.mdf", StringComparison.Ordinal)
        );
}
