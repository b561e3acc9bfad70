using IoBench.Formats;

namespace IoBench.Analysis.Tests;

public class ErrorLogAnalyzerTests
{
    private static readonly DateTime s_start = new(2026, 11, 1, 2, 0, 0);

    [Theory]
    [InlineData(1, 1)]
    [InlineData(61, 1)]
    [InlineData(62, 2)]
    [InlineData(1016, 17)]
    public void Observations_of_one_message_are_not_IOs(long observations, long atLeast)
    {
        var result = Analyze(CreateLongIO(0, observations));
        Assert.Equal((observations, atLeast), (result.Files[0].Observations, result.Files[0].MinLongIOs));
        Assert.Contains($"at least {atLeast} I/O", result.Findings[0].What, StringComparison.Ordinal);
        Assert.DoesNotContain("up to", result.Findings[0].What, StringComparison.Ordinal);
    }

    [Theory]
    // Messages 300 s apart can be about one I/O. A longer gap shows that the first I/O ended.
    [InlineData(300, null, 1)]
    [InlineData(600, null, 2)]
    // The last I/O began after the previous message.
    [InlineData(300, 20_000.0, 2)]
    [InlineData(300, 301_000.0, 1)]
    public void Two_messages_are_two_IOs_only_if_they_cannot_be_one(int gapSeconds, double? durationMs, long atLeast)
    {
        var result = Analyze(CreateLongIO(0, 1, durationMs: durationMs), CreateLongIO(gapSeconds, 40, durationMs: durationMs));
        Assert.Equal(atLeast, result.Files[0].MinLongIOs);
        Assert.Equal(durationMs, result.Files[0].LongestLongIOMs);
        Assert.Equal(durationMs is not null, result.Findings[0].What.Contains("up to", StringComparison.Ordinal));
    }

    [Fact]
    public void Lower_bound_never_exceeds_the_true_number_of_IOs()
    {
        var random = new Random(5);
        for (var round = 0; round < 200; round++)
        {
            // Long I/Os on one file, as SQL Server sees them: it looks every 5 s, and writes a message at most every 300 s.
            var ios = Enumerable
                .Range(0, random.Next(1, 40))
                .Select(_ => (Start: random.NextDouble() * 7200, Length: 15 + random.NextDouble() * random.Next(1, 900)))
                .ToList();
            var hasDuration = random.Next(2) == 0;
            List<ErrorLogEvent> events = [];
            long count = 0;
            var last = double.NegativeInfinity;
            for (var now = 0.0; now < 10_000; now += 5)
            {
                var seen = ios.Where(io => now >= io.Start + 15 && now < io.Start + io.Length).ToList();
                count += seen.Count;
                if (seen.Count == 0 || now - last < 300)
                    continue;
                var latest = seen.MaxBy(io => io.Start);
                events.Add(CreateLongIO(now, count, durationMs: hasDuration ? (now - latest.Start) * 1000 : null));
                (count, last) = (0, now);
            }
            if (events.Count == 0)
                continue;
            Assert.InRange(Analyze([.. events]).Files[0].MinLongIOs!.Value, 1, ios.Count);
        }
    }

    [Fact]
    public void Freeze_ends_with_the_resume_of_its_database()
    {
        var analyzer = new ErrorLogAnalyzer();
        analyzer.Add(CreateFreeze(0, "a", isFrozen: true));
        analyzer.Add(CreateFreeze(1, "b", isFrozen: true));
        Assert.Equal(2500, analyzer.Add(CreateFreeze(2.5, "A", isFrozen: false)).DurationMs);
        // A resume without a freeze has no duration, and neither has one before its freeze, after the clock was set back.
        Assert.Null(analyzer.Add(CreateFreeze(3, "a", isFrozen: false)).DurationMs);
        analyzer.Add(CreateFreeze(10, "c", isFrozen: true));
        Assert.Null(analyzer.Add(CreateFreeze(9, "c", isFrozen: false)).DurationMs);
        var result = analyzer.CreateResult();
        var (a, b) = (result.Files.Single(file => file.Database == "a"), result.Files.Single(file => file.Database == "b"));
        Assert.Equal((1, 2500.0, 0), (a.Freezes, a.LongestFreezeMs, a.FreezesWithoutResume));
        Assert.Equal((1, null, 1), (b.Freezes, b.LongestFreezeMs, b.FreezesWithoutResume));
        var finding = Assert.Single(result.Findings);
        Assert.Equal((FindingCodes.ErrorLogFreeze, FindingSeverity.Warning), (finding.Code, finding.Severity));
    }

    [Fact]
    public void Freeze_that_follows_another_one_leaves_the_first_without_resume()
    {
        var result = Analyze(CreateFreeze(0, "a", true), CreateFreeze(60, "a", true), CreateFreeze(61, "a", false));
        Assert.Equal((2, 1, 1000.0), (result.Files[0].Freezes, result.Files[0].FreezesWithoutResume, result.Files[0].LongestFreezeMs));
    }

    [Fact]
    public void Short_freezes_are_information()
    {
        var result = Analyze(CreateFreeze(0, "a", true), CreateFreeze(2, "a", false));
        Assert.Equal(FindingSeverity.Info, Assert.Single(result.Findings).Severity);
        Assert.Equal("1 I/O freeze; 2026-11-01 02:00; worst a", result.Summary);
    }

    [Fact]
    public void Timeline_has_one_line_per_file_and_interval()
    {
        var result = Analyze(
            CreateLongIO(0, 3, "D:\\a.mdf"),
            CreateLongIO(1800, 4, "D:\\a.mdf"),
            CreateLongIO(1900, 5, "D:\\b.mdf"),
            CreateLongIO(3600, 6, "D:\\a.mdf")
        );
        Assert.Equal(
            [(s_start, "D:\\a.mdf", 7), (s_start, "D:\\b.mdf", 5), (s_start.AddHours(1), "D:\\a.mdf", 6L)],
            result.Timeline.Select(item => (item.Start, item.Path!, item.Observations))
        );
    }

    [Fact]
    public void Long_timeline_gets_longer_intervals_and_loses_nothing()
    {
        var analyzer = new ErrorLogAnalyzer(TimeSpan.FromMinutes(1));
        for (var i = 0; i < 30_000; i++)
            analyzer.Add(CreateLongIO(i * 60, 2, $"D:\\{i % 3}.mdf"));
        var result = analyzer.CreateResult();
        Assert.InRange(result.Timeline.Count, 1000, 5000);
        Assert.True(result.Interval > TimeSpan.FromMinutes(1));
        Assert.Equal(60_000, result.Timeline.Sum(item => item.Observations));
        Assert.Equal(30_000, result.Timeline.Sum(item => item.Kinds.Sum(kind => kind.Messages)));
        Assert.All(result.Timeline, item => Assert.Equal(0, item.Start.Ticks % result.Interval.Ticks));
    }

    [Fact]
    public void Number_of_files_is_bounded_and_counts_are_complete()
    {
        var analyzer = new ErrorLogAnalyzer();
        for (var i = 0; i < 10_000; i++)
            analyzer.Add(CreateLongIO(0, 1, $"D:\\{i}.mdf"));
        var result = analyzer.CreateResult();
        Assert.InRange(result.Files.Count, 100, 2001);
        Assert.Equal(10_000, result.Files.Sum(file => file.LongIOMessages));
    }

    [Fact]
    public void Damaged_file_is_worse_than_a_slow_file()
    {
        var result = Analyze(
            CreateLongIO(0, 500, "D:\\slow.mdf", 60_000),
            CreateEvent(1, ErrorLogEventKind.IOError) with
            {
                Path = "D:\\damaged.mdf",
            }
        );
        Assert.Equal("D:\\damaged.mdf", result.Files[0].Path);
        Assert.Equal("1 error 823, 1 error 833; 2026-11-01 02:00; worst D:\\damaged.mdf", result.Summary);
        Assert.Equal([FindingCodes.ErrorLogIOError, FindingCodes.ErrorLogLongIO], result.Findings.Select(finding => finding.Code));
    }

    [Fact]
    public void Finding_has_the_times_of_its_own_messages()
    {
        const string path = "D:\\data\\Sales.mdf";
        const double day = 86_400;
        var page = CreateEvent(19 * day + 960, ErrorLogEventKind.InvalidPage) with { Path = path };
        var result = Analyze(
            CreateLongIO(0, 3, path),
            page,
            page with
            {
                Time = page.Time.AddMinutes(2),
            },
            CreateLongIO(24 * day, 5, path, 20_000),
            CreateEvent(25 * day, ErrorLogEventKind.InvalidPage) with
            {
                Path = "D:\\other.mdf",
            }
        );
        Assert.Contains("(2026-11-20 to 11-26; 2 files, most in D:\\data\\Sales.mdf)", result.Findings[0].What, StringComparison.Ordinal);
        Assert.Contains("(2026-11-01 to 11-25; D:\\data\\Sales.mdf)", result.Findings[1].What, StringComparison.Ordinal);
        Assert.Equal(
            [
                (ErrorLogEventKind.InvalidPage, 2, page.Time, page.Time.AddMinutes(2), null),
                (ErrorLogEventKind.LongIO, 2L, s_start, s_start.AddDays(24), (double?)20_000),
            ],
            result.Files[0].Kinds.Select(kind => (kind.Kind, kind.Messages, kind.First, kind.Last, kind.LongestMs))
        );
        var only = Analyze(CreateLongIO(0, 3, path), page, page with { Time = page.Time.AddMinutes(2) });
        Assert.Contains("(2026-11-20 02:16 to 02:18; D:\\data\\Sales.mdf)", only.Findings[0].What, StringComparison.Ordinal);
    }

    [Fact]
    public void Only_a_unique_maximum_is_called_most()
    {
        var two = Analyze(
            CreateFreeze(0, "HR", true),
            CreateFreeze(1, "HR", false),
            CreateFreeze(2, "Sales", true),
            CreateFreeze(16.5, "Sales", false)
        );
        Assert.Equal(
            "I/O was frozen 2 times for snapshots, for up to 14.5 s on Sales (2026-11-01 02:00; 2 databases, 1 in each).",
            Assert.Single(two.Findings).What
        );
        var three = Analyze([.. "AABBC".Select((name, i) => CreateFreeze(i, $"{name}", true))]);
        Assert.Contains("3 databases, at most 2 in each", three.Findings[0].What, StringComparison.Ordinal);
        Assert.Contains("5 I/O freezes (5 without resume)", three.Summary, StringComparison.Ordinal);
    }

    [Fact]
    public void Misaligned_writes_are_counted()
    {
        var item = CreateEvent(0, ErrorLogEventKind.MisalignedLogIO) with { Path = "L:\\a.ldf", MisalignedIOs = 256 };
        var result = Analyze(item, item with { MisalignedIOs = 512 });
        Assert.StartsWith("At least 512 log writes were not aligned", Assert.Single(result.Findings).What, StringComparison.Ordinal);
        Assert.StartsWith("512 misaligned log writes;", result.Summary, StringComparison.Ordinal);
    }

    [Fact]
    public void Advice_for_read_retries_includes_CHECKDB()
    {
        var result = Analyze(CreateEvent(0, ErrorLogEventKind.ReadRetry) with { Path = "D:\\a.mdf" });
        Assert.Contains("DBCC CHECKDB", Assert.Single(result.Findings).WhatToDo, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ErrorLogEventKind.IOError, true)]
    [InlineData(ErrorLogEventKind.InvalidPage, true)]
    [InlineData(ErrorLogEventKind.ReadRetry, true)]
    [InlineData(ErrorLogEventKind.LongIO, false)]
    [InlineData(ErrorLogEventKind.IOFrozen, false)]
    public void Damage_is_possible_after_823_824_and_825(ErrorLogEventKind kind, bool isDamage) =>
        Assert.Equal(isDamage, Analyze(CreateEvent(0, kind) with { Path = "D:\\a.mdf", Database = "a" }).HasIOErrors);

    [Fact]
    public void Summary_names_every_kind_and_the_worst_file()
    {
        const string path = @"E:\Program Files\Microsoft SQL Server\MSSQL16.PROD\MSSQL\DATA\Sales_2026_01.ndf";
        var events = Enum.GetValues<ErrorLogEventKind>()
            .Select(kind => CreateEvent(0, kind) with { Path = path, Database = "Sales", Observations = 2, MisalignedIOs = 256 });
        Assert.Equal(
            @"1 error 823, 1 error 824, 1 error 825, 1 error 833, 256 misaligned log writes, 1 slow checkpoint, 1 I/O freeze; 2026-11-01 02:00; worst …\Sales_2026_01.ndf",
            Analyze([.. events]).Summary
        );
    }

    [Fact]
    public void Logs_without_events_have_one_finding()
    {
        var result = new ErrorLogAnalyzer().CreateResult();
        Assert.Equal(FindingCodes.ErrorLogNone, Assert.Single(result.Findings).Code);
        Assert.StartsWith("No messages about I/O problems", result.Summary, StringComparison.Ordinal);
    }

    [Fact]
    public void Only_the_first_events_are_kept()
    {
        var analyzer = new ErrorLogAnalyzer(keepsEvents: true);
        for (var i = 0; i < ErrorLogAnalyzer.MaxKeptEvents + 10; i++)
            analyzer.Add(CreateLongIO(i, 1));
        var result = analyzer.CreateResult();
        Assert.Equal((ErrorLogAnalyzer.MaxKeptEvents, ErrorLogAnalyzer.MaxKeptEvents + 10), (result.Events.Count, result.EventCount));
        Assert.Equal("IoBench.ErrorLogManyEvents", Assert.Single(result.Warnings).Code);
    }

    private static ErrorLogResult Analyze(params ErrorLogEvent[] events)
    {
        var analyzer = new ErrorLogAnalyzer();
        foreach (var item in events)
            analyzer.Add(item);
        return analyzer.CreateResult();
    }

    private static ErrorLogEvent CreateEvent(double seconds, ErrorLogEventKind kind) =>
        new()
        {
            Kind = kind,
            Time = s_start.AddSeconds(seconds),
            Process = "spid5s",
        };

    private static ErrorLogEvent CreateLongIO(double seconds, long observations, string path = "D:\\x.mdf", double? durationMs = null) =>
        CreateEvent(seconds, ErrorLogEventKind.LongIO) with
        {
            Path = path,
            Observations = observations,
            DurationMs = durationMs,
        };

    private static ErrorLogEvent CreateFreeze(double seconds, string database, bool isFrozen) =>
        CreateEvent(seconds, isFrozen ? ErrorLogEventKind.IOFrozen : ErrorLogEventKind.IOResumed) with
        {
            Database = database,
        };
}
