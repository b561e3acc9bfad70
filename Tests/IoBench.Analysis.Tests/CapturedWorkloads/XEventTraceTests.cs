using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Analysis.Tests;

/// <summary>Traces with known sizes, order, hot spots, and rates.</summary>
public sealed class XEventTraceTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-").FullName;

    private static readonly DateTime s_start = new(2026, 11, 28, 10, 0, 0, DateTimeKind.Utc);

    private static string FormatEvent(
        double second,
        long offset,
        long size = 8192,
        string operation = "read",
        int database = 5,
        int file = 1,
        string? path = @"D:\x &amp; y.mdf",
        long? sequence = null,
        int duration = 4
    ) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"<event name=\"file_{operation}_completed\" package=\"sqlserver\" timestamp=\"{s_start.AddSeconds(second):yyyy-MM-ddTHH:mm:ss.fffZ}\"><data name=\"mode\"><value>0</value><text>Contiguous</text></data><data name=\"duration\"><value>{duration}</value></data><data name=\"file_handle\"><value>0x0000000000000a10</value></data><data name=\"offset\"><value>{offset}</value></data><data name=\"database_id\"><value>{database}</value></data><data name=\"file_id\"><value>{file}</value></data>"
        )
        + (path is null ? "" : $"<data name=\"path\"><value>{path}</value></data>")
        + string.Create(CultureInfo.InvariantCulture, $"<data name=\"size\"><value>{size}</value></data>")
        + (sequence is null ? "" : $"<action name=\"event_sequence\" package=\"package0\"><value>{sequence}</value></action>")
        + "</event>";

    /// <summary>20 s of 500 IOPS.</summary>
    private static IEnumerable<string> CreateTrace(double from = 0, int count = 10_000) =>
        Enumerable.Range(0, count).Select(i => FormatEvent(from + i / 500.0, i * 7919L % 100_000 * 8192));

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string GetPath(string name) => Path.Combine(_folder, name);

    private string WriteFile(string name, string text)
    {
        File.WriteAllText(GetPath(name), text);
        return GetPath(name);
    }

    private CapturedWorkload Load(params IEnumerable<string> lines)
    {
        return CapturedWorkload.FromEvents([WriteFile("events.xml", string.Join('\n', lines))]);
    }

    private void AssertError(string id, string words, params IEnumerable<string> lines)
    {
        var error = Assert.Throws<IoBenchException>(() => Load(lines));
        Assert.Equal(id, error.ErrorId);
        Assert.Contains(words, error.Message);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(30)]
    [InlineData(100)]
    public void Sizes_order_hot_spots_and_rates_of_a_generated_trace_are_found(int sequentialPercent)
    {
        const long fileBytes = 40L << 30;
        var random = new Random(7);
        List<string> lines = [];
        long next = 0;
        long logEnd = 0;
        for (var i = 0; i < 60_000; i++)
        {
            // 60% 8 KB, 30% 64 KB, 10% 512 KB; 80% of the random reads in the percents 40 to 60 of the file; 70% reads; 1,000 IOPS.
            var size = random.Next(100) switch
            {
                < 60 => 8192,
                < 90 => 65536,
                _ => 524288,
            };
            var isHot = random.Next(100) < 80;
            var part =
                isHot ? 0.4 + 0.2 * random.NextDouble()
                : random.NextDouble() * 0.8 is var rest && rest < 0.4 ? rest
                : rest + 0.2;
            if (random.Next(100) >= 70)
            {
                lines.Add(FormatEvent(i / 1000.0, logEnd += 12288, 12288, "write", file: 2, path: @"L:\x_log.ldf", duration: 1));
                continue;
            }
            var offset = random.Next(100) < sequentialPercent ? next : (long)(part * (fileBytes / 8192)) * 8192;
            next = next + size > fileBytes || offset != next ? next : next + size;
            lines.Add(FormatEvent(i / 1000.0, offset, size));
        }
        lines.Add(FormatEvent(60, fileBytes - 8192));

        var load = Load(lines);

        Assert.Empty(load.Warnings);
        Assert.Equal(60, load.Seconds, 0.001);
        var reads = load.Loads.Single(l => l.Role == "data");
        Assert.InRange(reads.IOPS, 686, 714);
        Assert.Equal(4, reads.LatencyMs);
        Assert.InRange(reads.BlockSizeKB, 75.2 * 0.98, 75.2 * 1.02);
        Assert.InRange(reads.Shape!.SequentialPercent, sequentialPercent - 2, sequentialPercent + 2);
        Assert.InRange(GetShare(reads.Shape, 8192), 58, 62);
        Assert.InRange(GetShare(reads.Shape, 65536), 28, 32);
        Assert.InRange(GetShare(reads.Shape, 524288), 8, 12);
        if (sequentialPercent < 100)
        {
            var at = 0L;
            double hot = 0;
            foreach (var range in reads.Shape.HotSpots)
            {
                var inside = Math.Max(0, Math.Min(at + range.TargetPart, 60) - Math.Max(at, 40));
                hot += range.IOPercent * (double)inside / range.TargetPart;
                at += range.TargetPart;
            }
            Assert.InRange(hot, 78, 82);
            Assert.Equal(100, reads.Shape.HotSpots.Sum(range => range.IOPercent));
        }
        var log = load.Loads.Single(l => l.Role == "log");
        Assert.Equal((12, 1), (log.BlockSizeKB, log.LatencyMs));
        Assert.InRange(log.IOPS, 294, 306);
        Assert.InRange(log.Shape!.SequentialPercent, 98, 100);

        var test = load.CreateSpecifications().Single(t => t.Workload == "own-data-read");
        Assert.Equal(524288, test.BlockSize);
        Assert.Equal(reads.Shape.Sizes, test.BlockMix!.Reads);
        Assert.Equal(
            sequentialPercent switch
            {
                0 => IoAccessPattern.Random,
                100 => IoAccessPattern.Sequential,
                _ => IoAccessPattern.PartRandom,
            },
            test.AccessPattern
        );
        test.Targets.Add(new IoTargetSpecification("x.dat"));
        SpecificationValidator.Validate(test);
        var busiest = load.CreateSpecifications().Single(t => t.Workload == "own-data-read-busiest");
        Assert.Null(busiest.BlockMix);
        Assert.All(
            load.CreateConcurrentSpecifications(new Dictionary<string, string> { ["data"] = "d.dat", ["log"] = "l.dat" }),
            SpecificationValidator.Validate
        );
        Assert.Contains(load.Lines, line => line.Contains("% sequential, block sizes 8KB:", StringComparison.Ordinal));

        static int GetShare(CapturedShape shape, long size) => shape.Sizes.Where(share => share.Size == size).Sum(share => share.Percent);
    }

    [Fact]
    public void Rare_large_reads_keep_their_throughput()
    {
        var load = Load(
            Enumerable.Range(0, 20_000).Select(i => FormatEvent(i / 500.0, i * 7919L % 100_000 * 8192, i % 250 == 0 ? 1 << 20 : 8192))
        );
        var reads = Assert.Single(load.Loads);
        var test = load.CreateSpecifications()[0];
        Assert.InRange(test.GetMeanBlockSize() / 1024, reads.BlockSizeKB * 0.98, reads.BlockSizeKB * 1.02);
    }

    [Fact]
    public void A_burst_is_the_busiest_window()
    {
        var load = Load(
            CreateTrace().Concat(CreateTrace(20, 1).Select(line => line)).Concat(CreateBurst(20.001)).Concat(CreateTrace(21.5))
        );
        var reads = Assert.Single(load.Loads);
        Assert.Equal(21, reads.Busiest!.Window);
        Assert.InRange(reads.Busiest.IOPS, 3000, 3010);

        static IEnumerable<string> CreateBurst(double from) =>
            Enumerable.Range(0, 3000).Select(i => FormatEvent(from + i / 4000.0, i * 7919L % 100_000 * 8192));
    }

    [Fact]
    public void Times_without_fractions_show_the_same_rates()
    {
        // Export-Csv of Windows PowerShell omits the fractions of a second.
        var load = Assert.Single(Load(Enumerable.Range(0, 1200).Select(i => FormatEvent(i / 60, i * 7919L % 1000 * 8192))).Loads);
        Assert.Equal((60.0, 60.0), (load.IOPS, load.Busiest!.IOPS));
    }

    [Fact]
    public void Time_in_which_the_session_did_not_run_is_not_part_of_the_rate()
    {
        var load = Load(CreateTrace().Concat(CreateTrace(3600)));
        Assert.InRange(load.Loads.Single().IOPS, 499, 501);
        Assert.Contains("IoBench.XEventGap", Assert.Single(load.Warnings));
        Assert.Equal(40, load.Seconds, 0.1);

        // An idle half minute is part of the rate.
        Assert.InRange(Load(CreateTrace().Concat(CreateTrace(50))).Loads.Single().IOPS, 285, 287);
    }

    [Theory]
    [InlineData("xml")]
    [InlineData("csv")]
    [InlineData("utf16")]
    [InlineData("document")]
    [InlineData("sqlcmd")]
    [InlineData("indented")]
    public void Xml_is_read_as_each_tool_saves_it(string kind)
    {
        var lines = CreateTrace().ToList();
        var text = kind switch
        {
            "csv" => "\"object_name\",\"event_data\"\n"
                + string.Join('\n', lines.Select(line => $"\"x\",\"{line.Replace("\"", "\"\"")}\"")),
            "document" => "<?xml version=\"1.0\" encoding=\"utf-16\"?>\n<events>" + string.Concat(lines) + "</events>",
            "sqlcmd" => "event_data\n----------\n" + string.Join("\n", lines) + "\n\n(10000 rows affected)\n",
            "indented" => string.Join('\n', lines).Replace("><", ">\n  <", StringComparison.Ordinal),
            _ => string.Join('\n', lines),
        };
        var path = GetPath("events.txt");
        File.WriteAllText(path, text, kind == "utf16" ? Encoding.Unicode : new UTF8Encoding(kind == "document"));
        var reads = Assert.Single(CapturedWorkload.FromEvents([path]).Loads);
        Assert.Equal(("data", 1), (reads.Role, reads.Files));
        Assert.Equal(@"D:\x & y.mdf", Assert.Single(reads.OfFiles).File);
        Assert.InRange(reads.IOPS, 499, 501);
    }

    [Theory]
    [InlineData("yyyy-MM-dd HH:mm:ss.fffffff")]
    [InlineData("MM/dd/yyyy HH:mm:ss +00:00")]
    [InlineData("dd.MM.yyyy HH:mm:ss +00:00")]
    public void Csv_with_a_column_for_each_field_is_read(string format)
    {
        var rows = Enumerable
            .Range(0, 10_000)
            .Select(i =>
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"file_write_completed;\"{s_start.AddSeconds(i / 500.0).ToString(format, CultureInfo.InvariantCulture)}\";3;{i * 8192L};2;1;8192;T:\\tempdb.mdf"
                )
            );
        var load = Load(rows.Prepend("name;timestamp;duration;offset;database_id;file_id;size;path").Append("(10000 rows affected)"));
        var writes = Assert.Single(load.Loads);
        Assert.Equal(("tempdb", IoOperation.Write, 3, 8), (writes.Role, writes.Operation, writes.LatencyMs, writes.BlockSizeKB));
        Assert.Equal(100, writes.Shape!.SequentialPercent);
        Assert.InRange(writes.IOPS, 490, 527);
    }

    [Fact]
    public void Files_that_rolled_over_can_be_in_any_order()
    {
        var first = WriteFile("io_0_133.xml", string.Join('\n', CreateTrace()));
        var second = WriteFile("io_0_134.xml", string.Join('\n', CreateTrace(20)));
        var load = CapturedWorkload.FromEvents([second, first]);
        Assert.Equal(40, load.Seconds, 0.1);
        Assert.InRange(load.Loads.Single().IOPS, 499, 501);
        Assert.Equal(
            "IoBench.XEventOrder",
            Assert.Throws<IoBenchException>(() => CapturedWorkload.FromEvents([first, second, first])).ErrorId
        );
    }

    [Fact]
    public void Other_events_and_files_of_no_database_are_ignored()
    {
        var other = "<event name=\"rpc_completed\" timestamp=\"2026-11-28T10:00:05.000Z\"/>";
        var load = Load(
            CreateTrace().SelectMany((line, i) => i == 2500 ? [line, other, FormatEvent(5, 0, 1 << 20, file: 0)] : new[] { line })
        );
        Assert.InRange(load.Loads.Single().IOPS, 499, 501);
        Assert.Contains("IoBench.XEventsIgnored", Assert.Single(load.Warnings));
        AssertError("IoBench.NoXEvents", "contains no file_read_completed or file_write_completed events", other);
    }

    [Fact]
    public void Gaps_in_the_numbers_show_lost_events()
    {
        var lines = Enumerable.Range(0, 10_000).Select(i => FormatEvent(i / 500.0, i * 8192L, sequence: i < 5000 ? i : i + 250));
        var warning = Assert.Single(Load(lines).Warnings);
        Assert.Contains("lost 250 events", warning);
        Assert.Contains("IoBench.XEventsLost", warning);
        // A second session starts again at 1.
        Assert.Empty(Load(Enumerable.Range(0, 10_000).Select(i => FormatEvent(i / 500.0, i * 8192L, sequence: i % 5000 + 1))).Warnings);
    }

    [Fact]
    public void Events_of_several_buffers_are_not_lost_events()
    {
        var random = new Random(11);
        var numbers = Enumerable.Range(0, 10_000).Chunk(400).SelectMany(chunk => chunk.OrderBy(_ => random.Next())).ToList();
        Assert.Empty(Load(numbers.Select(i => FormatEvent(i / 500.0, i * 8192L, sequence: i + 1))).Warnings);
        // The lowest number is not the first one, and a second session starts again.
        Assert.Empty(
            Load(
                numbers
                    .Select(i => FormatEvent(i / 500.0, i * 8192L, sequence: i + 1))
                    .Concat(numbers.Select(i => FormatEvent(25 + i / 500.0, i * 8192L, sequence: i + 1)))
            ).Warnings
        );
        var lost = Load(numbers.Select(i => FormatEvent(i / 500.0, i * 8192L, sequence: i + (i < 5000 ? 50_000 : 50_040)))).Warnings;
        Assert.Contains("lost 40 events", Assert.Single(lost));
        // A number far below the first one is of another session.
        Assert.Empty(
            Load(
                Enumerable.Range(0, 10_000).Select(i => FormatEvent(i / 500.0, i * 8192L, sequence: i < 5000 ? 90_000 + i : i - 4990))
            ).Warnings
        );
    }

    [Fact]
    public void Read_ahead_that_completes_in_any_order_is_sequential()
    {
        var random = new Random(12);
        // 12 outstanding reads of 512 KB, and two other scans in single pages.
        var scan = Enumerable.Range(0, 6000).Chunk(12).SelectMany(chunk => chunk.OrderBy(_ => random.Next()));
        var load = Load(
            scan.SelectMany(
                (position, i) =>
                    new[]
                    {
                        FormatEvent(i / 100.0, position * 524_288L, 524_288),
                        FormatEvent(i / 100.0, (10L << 30) + i * 8192L),
                        FormatEvent(i / 100.0, (20L << 30) + i * 8192L),
                    }
            )
        );
        Assert.InRange(load.Loads.Single().Shape!.SequentialPercent, 99, 100);
        Assert.Empty(load.Warnings);

        // A random order of the whole file is random.
        var shuffled = Enumerable.Range(0, 20_000).OrderBy(_ => random.Next());
        Assert.InRange(
            Load(shuffled.Select((position, i) => FormatEvent(i / 500.0, position * 8192L))).Loads.Single().Shape!.SequentialPercent,
            0,
            1
        );
    }

    [Fact]
    public void Few_invalid_events_are_ignored_with_their_number()
    {
        var lines = CreateTrace().ToList();
        lines[200] = FormatEvent(0.4, 0, size: 0);
        lines[300] = FormatEvent(0.6, long.MaxValue);
        lines[400] = FormatEvent(0.8, 0).Replace("\"offset\"", "\"other\"", StringComparison.Ordinal);
        // A file of no database can have any values.
        lines[500] = FormatEvent(1, long.MaxValue, size: 0, file: 0);
        var load = Load(lines);
        Assert.InRange(load.Loads.Single().IOPS, 499, 501);
        Assert.Equal(2, load.Warnings.Count);
        Assert.Contains("ignores 1 I/O on files that do not belong to a database", load.Warnings[0]);
        Assert.StartsWith("IoBench ignores 3 events with a missing or invalid field. The first is ", load.Warnings[1]);
        Assert.Contains("event or line 201: size '0' is not a valid number", load.Warnings[1]);
        Assert.Contains(WarningCodes.XEventsInvalid, load.Warnings[1]);

        // More than 1% would change the rates.
        for (var i = 0; i < 100; i++)
            lines[1000 + i] = FormatEvent(2 + i / 500.0, 0, size: 0);
        AssertError("IoBench.InvalidXEvents", "event or line 201: size '0' is not a valid number", lines);
    }

    [Fact]
    public void Durations_that_could_be_microseconds_get_a_warning()
    {
        var slow = Load(Enumerable.Range(0, 10_000).Select(i => FormatEvent(i / 500.0, i * 8192L, duration: 90 + i % 3000)));
        Assert.Contains(WarningCodes.XEventDurations, Assert.Single(slow.Warnings));
        Assert.Empty(
            Load(Enumerable.Range(0, 10_000).Select(i => FormatEvent(i / 500.0, i * 8192L, duration: i % 50 == 0 ? 3 : 900))).Warnings
        );
    }

    [Theory]
    // A day above 12 follows much later, the order of the times shows the month, and the shorter period shows it.
    [InlineData("dd/MM/yyyy HH:mm:ss", "2026-12-11 23:59:50", "2026-12-13 00:00:10", "24 h")]
    [InlineData("MM/dd/yyyy HH:mm:ss", "2026-12-11 23:59:50", "2026-12-13 00:00:10", "24 h")]
    [InlineData("dd/MM/yyyy HH:mm:ss", "2026-04-11 23:59:50", "2026-05-02 00:00:10", "480 h")]
    [InlineData("dd/MM/yyyy HH:mm:ss", "2026-05-04 23:59:50", "2026-05-05 00:00:10", null)]
    [InlineData("MM/dd/yyyy HH:mm:ss", "2026-05-04 23:59:50", "2026-05-05 00:00:10", null)]
    public void Order_of_day_and_month_is_found_in_the_whole_file(string format, string from, string to, string? gap)
    {
        var (first, last) = (DateTime.Parse(from, CultureInfo.InvariantCulture), DateTime.Parse(to, CultureInfo.InvariantCulture));
        string FormatRow(DateTime time, int i) =>
            string.Create(
                CultureInfo.InvariantCulture,
                $"file_write_completed,{time.ToString(format, CultureInfo.InvariantCulture)},3,{i * 8192L},2,1,8192,T:\\tempdb.mdf"
            );
        var rows = Enumerable
            .Range(0, 5000)
            .Select(i => FormatRow(first.AddSeconds(i / 500), i))
            .Concat(Enumerable.Range(0, 5000).Select(i => FormatRow(last.AddSeconds(i / 500), 5000 + i)));
        var load = Load(rows.Prepend("name,timestamp,duration,offset,database_id,file_id,size,path"));
        Assert.InRange(load.Loads.Single().IOPS, 330, 560);
        if (gap is null)
            Assert.Empty(load.Warnings);
        else
            Assert.Contains($"1 period of more than 60 s ({gap} in total)", Assert.Single(load.Warnings));
    }

    [Fact]
    public void Dates_of_several_files_that_show_no_order_get_a_warning()
    {
        string Write(string name, int day) =>
            WriteFile(
                name,
                string.Join(
                    '\n',
                    Enumerable
                        .Range(0, 10_000)
                        .Select(i =>
                            string.Create(
                                CultureInfo.InvariantCulture,
                                $"file_read_completed,{day:00}/05/2026 10:00:{i / 500:00},3,{i * 8192L},5,1,8192"
                            )
                        )
                        .Prepend("name,timestamp,duration,offset,database_id,file_id,size")
                )
            );
        var (one, other) = (Write("one.csv", 4), Write("other.csv", 6));
        Assert.DoesNotContain(
            CapturedWorkload.FromEvents([one]).Warnings,
            warning => warning.Contains(WarningCodes.XEventDates, StringComparison.Ordinal)
        );
        var warnings = CapturedWorkload.FromEvents([one, other]).Warnings;
        Assert.Contains(warnings, warning => warning.Contains(WarningCodes.XEventDates, StringComparison.Ordinal));
    }

    [Fact]
    public void Few_IOs_get_no_test_of_the_busiest_window()
    {
        // 500 reads per second, and 12 log writes in one second.
        var load = Load(
            CreateTrace()
                .SelectMany(
                    (line, i) =>
                        i is >= 2500 and < 2512
                            ? [line, FormatEvent(i / 500.0, i * 4096L, 4096, "write", file: 2, path: @"L:\x.ldf")]
                            : new[] { line }
                )
        );
        Assert.Equal(["own-data-read", "own-data-read-busiest"], load.CreateSpecifications().Select(test => test.Workload));
        Assert.Contains(
            load.Warnings,
            warning => warning.StartsWith("log writes: 0.6 IOPS are too few for a test", StringComparison.Ordinal)
        );

        // 5 writes per second are enough for a test, but no second has enough for a test of its own.
        load = Load(
            CreateTrace()
                .SelectMany(
                    (line, i) =>
                        i % 100 == 0 ? [line, FormatEvent(i / 500.0, i * 4096L, 4096, "write", file: 2, path: @"L:\x.ldf")] : new[] { line }
                )
        );
        Assert.Equal(
            ["own-data-read", "own-data-read-busiest", "own-log-write"],
            load.CreateSpecifications().Select(test => test.Workload)
        );
        Assert.Equal(
            "log writes: no window has 30 I/Os or more, so IoBench does not test the busiest window.",
            Assert.Single(load.Warnings)
        );
        var roles = new Dictionary<string, string> { ["data"] = "d.dat", ["log"] = "l.dat" };
        Assert.Equal([2, 1], load.CreateConcurrentSpecifications(roles).Select(test => test.Targets.Count));
    }

    [Fact]
    public void Without_paths_file_2_is_the_log()
    {
        var load = Load(Enumerable.Range(0, 10_000).Select(i => FormatEvent(i / 500.0, i * 8192L, file: 2, path: null)));
        Assert.Equal("log", load.Loads.Single().Role);
        Assert.Contains(WarningCodes.NoFileTypes, Assert.Single(load.Warnings));
    }

    [Fact]
    public void A_trace_that_shows_no_rate_is_refused()
    {
        AssertError("IoBench.NoXEvents", "contains no Extended Events", "Dear diary");
        AssertError("IoBench.NoXEvents", "contains no Extended Events", "");
        AssertError("IoBench.NoXEvents", "contains no Extended Events", "event_data", "----------", "", "(0 rows affected)");
        AssertError("IoBench.NoXEvents", "contains no Extended Events", "a,b,offset", "1,2,3");
        AssertError("IoBench.TooFewXEvents", "cover only 1 s", CreateTrace(count: 501));
        AssertError("IoBench.TooFewXEvents", "cover only 1 s", FormatEvent(0, 0));
        AssertError("IoBench.TooFewXEvents", "too few events for a test", Enumerable.Range(0, 9).Select(i => FormatEvent(i * 5, i * 8192)));
        AssertError("IoBench.XEventOrder", "Either the clock of the server was set back", CreateTrace().Concat(CreateTrace(10)));
        AssertError("IoBench.InvalidXEvents", "truncated", CreateTrace().Append(FormatEvent(20, 0)[..300]));
        AssertError("IoBench.InvalidXEvents", "truncated", CreateTrace().Select(line => line[..256]));
        AssertError("IoBench.InvalidXEvents", "offset is missing", FormatEvent(0, 0).Replace("\"offset\"", "\"other\""));
        AssertError(
            "IoBench.InvalidXEvents",
            "event or line 1: size 'NULL' is not a valid number",
            FormatEvent(0, 0).Replace("8192", "NULL")
        );
        AssertError("IoBench.InvalidXEvents", "duration '-4'", FormatEvent(0, 0, duration: -4));
        AssertError(
            "IoBench.InvalidXEvents",
            "timestamp 'x' is not a time",
            "<event name=\"file_read_completed\" timestamp=\"x\"></event>"
        );
        AssertError(
            "IoBench.InvalidXEvents",
            "size is missing",
            "name,timestamp,offset,database_id,file_id",
            "file_read_completed,2026-11-28 10:00:00,0,5,1"
        );
    }

    [Fact]
    public void A_binary_file_is_refused_with_the_way_to_export_it()
    {
        var path = GetPath("io_0_133.xel");
        File.WriteAllBytes(path, [.. Enumerable.Range(0, 9000).Select(i => (byte)(i % 7))]);
        var error = Assert.Throws<IoBenchException>(() => CapturedWorkload.FromEvents([path]));
        Assert.Equal("IoBench.NoXEvents", error.ErrorId);
        Assert.Contains("sys.fn_xe_file_target_read_file", error.Message);
        Assert.Equal("IoBench.FileNotFound", Assert.Throws<IoBenchException>(() => CapturedWorkload.FromEvents([GetPath("none")])).ErrorId);
    }

    [Fact]
    public void Random_garbage_is_refused_or_read_but_never_fails_otherwise()
    {
        var random = new Random(3);
        var text = string.Join('\n', CreateTrace(count: 30));
        for (var i = 0; i < 300; i++)
        {
            var letters = text.ToCharArray();
            for (var j = 0; j < 20; j++)
                letters[random.Next(letters.Length)] = (char)random.Next(32, 127);
            var path = WriteFile("garbage.xml", new string(letters, 0, random.Next(letters.Length)));
            Assert.IsType<IoBenchException>(Record.Exception(() => CapturedWorkload.FromEvents([path])));
        }
    }

    [Fact]
    public void A_long_trace_of_many_files_keeps_the_sum_in_longer_windows()
    {
        var path = GetPath("large.xml");
        using (var writer = new StreamWriter(path))
            for (var i = 0; i < 200_000; i++)
                writer.WriteLine(FormatEvent(i / 100.0, i * 7919L % 100_000 * 8192, file: 10 + i % 300, path: null));
        var load = CapturedWorkload.FromEvents([path]);
        Assert.Equal(2000, load.Seconds, 0.1);
        Assert.Equal(200_000, load.Loads.Sum(l => l.IOPS) * load.Seconds, 1.0);
    }
}
