using System.Text;
using System.Text.Json;

namespace IoBench.Cli.Tests;

public class ErrorLogTests
{
    private const string Log = """
        2026-11-27 01:00:00.00 Server      Microsoft SQL Server 2022 (RTM) - 16.0.1000.6 (X64)
        2026-11-27 01:00:01.00 spid9s      There have been 256 misaligned log IOs which required falling back to synchronous IO.  The current IO is on file D:\MSSQL\DATA\Sales_log.ldf.
        2026-11-27 02:12:36.12 spid12s     SQL Server has encountered 122 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [E:\MSSQL\DATA\Sales.mdf] in database id 7.  The OS file handle is 0x0000000000001594.  The offset of the latest long I/O is: 0x000030435b0000.  The duration of the long I/O is: 26728 ms.
        2026-11-27 03:00:00.00 spid71      I/O is frozen on database Sales. No user action is required. However, if I/O is not resumed promptly, you could cancel the backup.
        2026-11-27 03:00:02.50 spid71      I/O was resumed on database Sales. No user action is required.
        2026-11-28 02:01:56.31 spid14s     FlushCache: cleaned up 52349 bufs with 43217 writes in 75027 ms (avoided 6322 new dirty bufs) for db 6:0
        2026-11-28 02:01:56.31 spid14s                 average throughput:   5.45 MB/sec, I/O saturation: 77741, context switches 79352
        2026-11-28 02:01:56.31 spid14s                 last target outstanding: 23904, avgWriteLatency 13
        2026-11-28 05:00:00.00 spid51      Error: 824, Severity: 24, State: 2.
        2026-11-28 05:00:00.00 spid51      SQL Server detected a logical consistency-based I/O error: incorrect checksum (expected: 0x9a3e399c; actual: 0x9a14b99d). It occurred during a read of page (1:57) in database ID 7 at offset 0x00000000072000 in file 'E:\MSSQL\DATA\Sales.mdf'.

        """;

    [Fact]
    public void Output_begins_with_the_summary_and_fits_79_columns()
    {
        using var folder = new TestFolder();
        var run = Cli.Run("errorlog", Save(folder));
        Assert.Equal((3, ""), (run.ExitCode, run.Error));
        var lines = run.Output.Split('\n').Select(line => line.TrimEnd()).ToList();
        Assert.Equal(
            "1 error 824, 1 error 833, 256 misaligned log writes, 1 slow checkpoint, 1 I/O freeze; 2026-11-27 to 11-28; worst …\\Sales.mdf",
            $"{lines[0]} {lines[1]}"
        );
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 79));
        var text = run.Output.ReplaceLineEndings(" ");
        Assert.Contains("at least 2 I/Os took 15 s or longer, up to 26.7 s", text, StringComparison.Ordinal);
        Assert.Contains("75.0 s at 5.45 MiB/s", text, StringComparison.Ordinal);
        Assert.Contains(
            lines,
            line => line.StartsWith("2026-11-28 05:00", StringComparison.Ordinal) && line.EndsWith("Sales.mdf", StringComparison.Ordinal)
        );
        // Each duration is in the line of its kind of message, and each kind has a line.
        var start = lines.FindIndex(line => line.StartsWith("  Message", StringComparison.Ordinal));
        Assert.Equal(
            [
                "E:\\MSSQL\\DATA\\Sales.mdf",
                "error 824 1 2026-11-28 05:00 2026-11-28 05:00",
                "error 833 1 2 26.7 2026-11-27 02:12 2026-11-27 02:12",
                "D:\\MSSQL\\DATA\\Sales_log.ldf",
                "misaligned log 1 256 2026-11-27 01:00 2026-11-27 01:00",
                "database id 6",
                "slow checkpoint 1 75.0 2026-11-28 02:01 2026-11-28 02:01",
                "Sales",
                "I/O frozen 1 2026-11-27 03:00 2026-11-27 03:00",
                "I/O resumed 1 2.5 2026-11-27 03:00 2026-11-27 03:00",
                "",
            ],
            lines.Skip(start + 2).Take(11).Select(line => string.Join(' ', line.Split(' ', StringSplitOptions.RemoveEmptyEntries)))
        );
    }

    [Fact]
    public void Exit_code_is_3_only_after_errors_823_824_and_825()
    {
        using var folder = new TestFolder();
        var log = folder.GetPath("ERRORLOG");
        var lines = Log.Split('\n');
        File.WriteAllLines(log, lines.Where(line => !line.Contains("spid51", StringComparison.Ordinal)));
        var run = Cli.Run("errorlog", log, "-q");
        Assert.Contains("1 error 833", run.Output, StringComparison.Ordinal);
        Assert.Equal(0, run.ExitCode);
        foreach (var format in new[] { "table", "json", "csv" })
            Assert.Equal(3, Cli.Run("errorlog", Save(folder), "--format", format).ExitCode);
        // A log that cannot be read is the more urgent problem.
        Assert.Equal(2, Cli.Run("errorlog", log, folder.GetPath("none")).ExitCode);
    }

    [Fact]
    public void Json_has_events_files_timeline_and_findings()
    {
        using var folder = new TestFolder();
        var run = Cli.Run("errorlog", Save(folder), "--format", "json", "--interval", "5m");
        Assert.Equal(3, run.ExitCode);
        using var json = JsonDocument.Parse(run.Output);
        var root = json.RootElement;
        Assert.Equal(6, root.GetProperty("events").GetArrayLength());
        var first = root.GetProperty("events")[1];
        Assert.Equal(
            ("LongIO", "2026-11-27T02:12:36.12", 122),
            (first.GetProperty("kind").GetString(), first.GetProperty("time").GetString(), first.GetProperty("observations").GetInt32())
        );
        Assert.Equal("ErrorLog.InvalidPage", root.GetProperty("findings")[0].GetProperty("code").GetString());
        Assert.Equal(2, root.GetProperty("files")[0].GetProperty("minLongIOs").GetInt32());
        var kind = root.GetProperty("files")[0].GetProperty("kinds")[0];
        Assert.Equal(
            ("InvalidPage", 1, "2026-11-28T05:00:00"),
            (kind.GetProperty("kind").GetString(), kind.GetProperty("messages").GetInt32(), kind.GetProperty("first").GetString())
        );
        Assert.Equal("2026-11-27T02:10:00", root.GetProperty("timeline")[1].GetProperty("start").GetString());
    }

    [Fact]
    public void Csv_has_one_row_per_event()
    {
        using var folder = new TestFolder();
        var run = Cli.Run("errorlog", Save(folder), "--format", "csv");
        var lines = run.Output.Split("\n", StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(7, lines.Length);
        Assert.StartsWith("Time,Kind,Process,Path,", lines[0], StringComparison.Ordinal);
        Assert.StartsWith("2026-11-27 03:00:02.500,IOResumed,spid71,,Sales,,,,,,2500,", lines[4], StringComparison.Ordinal);
    }

    [Fact]
    public void Report_and_report_of_results_contain_the_messages()
    {
        using var folder = new TestFolder();
        var log = Save(folder);
        foreach (var name in new[] { "r.html", "r.xlsx" })
        {
            Assert.Equal(3, Cli.Run("errorlog", log, "--report", folder.GetPath(name)).ExitCode);
            Assert.Equal(2, Cli.Run("errorlog", log, "--report", folder.GetPath(name)).ExitCode);
        }
        Assert.Contains("I/O messages in the SQL Server error log", File.ReadAllText(folder.GetPath("r.html")), StringComparison.Ordinal);
        var results = folder.GetPath("results.json");
        Assert.Equal(
            0,
            Cli.Run("run", folder.GetPath("t.dat"), "--file-size", "8MB", "--duration", "0.1s", "--output", results, "-q").ExitCode
        );
        var both = folder.GetPath("both.html");
        Assert.Equal(0, Cli.Run("report", results, "--errorlog", log, "--report", both).ExitCode);
        var html = File.ReadAllText(both);
        Assert.Contains("I/O messages in the SQL Server error log", html, StringComparison.Ordinal);
        Assert.Contains("Error 824: 1 page had wrong contents", html, StringComparison.Ordinal);
    }

    [Fact]
    public void Wrong_and_missing_files_are_clear_errors()
    {
        using var folder = new TestFolder();
        var other = folder.GetPath("other.txt");
        File.WriteAllText(other, "hello");
        var wrong = Cli.Run("errorlog", other);
        Assert.Contains("is not a SQL Server ERRORLOG file", wrong.Error, StringComparison.Ordinal);
        Assert.Contains("[IoBench.NotAnErrorLog]", wrong.Error, StringComparison.Ordinal);
        Assert.Equal((1, ""), (wrong.ExitCode, wrong.Output));
        Assert.Contains("[IoBench.FileNotFound]", Cli.Run("errorlog", folder.GetPath("none")).Error, StringComparison.Ordinal);
        var none = Cli.Run("errorlog", folder.GetPath("none*"));
        Assert.Equal((2, ""), (none.ExitCode, none.Output));
        Assert.Contains("No file matches", none.Error, StringComparison.Ordinal);
        Assert.Contains("[IoBench.Usage]", Cli.Run("errorlog", other, "--format", "yaml").Error, StringComparison.Ordinal);
    }

    private static string Save(TestFolder folder)
    {
        var path = folder.GetPath("ERRORLOG");
        File.WriteAllText(path, Log, Encoding.Unicode);
        return path;
    }
}
