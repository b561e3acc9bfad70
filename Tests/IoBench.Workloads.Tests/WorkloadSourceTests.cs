using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Workloads.Tests;

public class WorkloadSourceTests
{
    // One class reads all kinds of entries, so it accepts members of another kind.
    [Fact]
    public void Entries_of_the_file_have_only_members_of_their_kind()
    {
        string[] pattern =
        [
            "role",
            "reason",
            "confidence",
            "sources",
            "pattern",
            "threads",
            "outstanding",
            "buffering",
            "content",
            "targetIops",
            "maxIops",
        ];
        var members = new Dictionary<string, string[]>
        {
            ["workloads"] = [.. pattern, "name", "parts", "duration", "warmUp", "fileSize", "historic"],
            ["operations"] = ["name", "role", "reason", "confidence", "sources", "orders", "operations", "sizes"],
            ["suites"] = ["name", "reason", "members", "duration", "historic"],
            ["notes"] = ["name", "reason", "sources"],
        };
        using var file = JsonDocument.Parse(
            File.ReadAllText(Path.Combine(SampleFiles.RepositoryRoot, "src", "IoBench.Workloads", "workloads.json"))
        );
        foreach (var (kind, allowed) in members)
            Assert.All(file.RootElement.GetProperty(kind).EnumerateArray(), entry => AssertMembers(entry, allowed));
        foreach (var workload in file.RootElement.GetProperty("workloads").EnumerateArray())
            if (workload.TryGetProperty("parts", out var parts))
                Assert.All(parts.EnumerateArray(), part => AssertMembers(part, pattern));

        static void AssertMembers(JsonElement entry, string[] allowed) =>
            Assert.Empty(entry.EnumerateObject().Select(member => member.Name).Except(allowed));
    }

    private static IEnumerable<IoWorkload> Patterns => WorkloadCatalog.All.Where(w => w.Kind != CatalogEntryKind.Suite);

    [Fact]
    public void Every_pattern_has_a_confidence_and_its_sources()
    {
        foreach (var workload in Patterns)
        {
            Assert.NotNull(workload.Confidence);
            if (workload.Confidence is not (WorkloadConfidence.Own or WorkloadConfidence.Historic))
                Assert.True(workload.Sources.Count > 0, workload.Name);
            // A reason with low confidence must say that the pattern is inferred, reported, or not documented.
            if (workload.Confidence == WorkloadConfidence.Low)
                Assert.Matches("own|infer|chose|report|publish|not found|documented", workload.Reason);
            Assert.All(workload.Sources, source => Assert.True(source.Author.Length > 0 && source.Title.Length > 0, workload.Name));
            Assert.All(
                workload.Sources.Where(source => source.Url is not null),
                source =>
                    Assert.True(
                        Uri.TryCreate(source.Url, UriKind.Absolute, out var url) && url.Scheme == "https" && url.AbsolutePath.Length > 1,
                        source.Url
                    )
            );
            Assert.All(
                workload.Sources.Where(source => source.Published is not null),
                source => Assert.Matches(@"^(19|20)\d\d(-\d\d){0,2}$", source.Published)
            );
        }
        Assert.All(WorkloadCatalog.Suites, suite => Assert.Null(suite.Confidence));
    }

    [Fact]
    public void Every_source_is_used_and_every_workload_has_a_reason()
    {
        using var file = JsonDocument.Parse(
            File.ReadAllText(Path.Combine(SampleFiles.RepositoryRoot, "src", "IoBench.Workloads", "workloads.json"))
        );
        var keys = file.RootElement.GetProperty("sources").EnumerateObject().Select(p => p.Name).ToList();
        var used = new[] { "workloads", "operations", "notes" }
            .SelectMany(list => file.RootElement.GetProperty(list).EnumerateArray())
            .SelectMany(entry =>
                entry.TryGetProperty("sources", out var sources) ? sources.EnumerateArray().Select(s => s.GetString()!) : []
            )
            .ToHashSet();
        Assert.Empty(keys.Except(used));
        var entries = file.RootElement.GetProperty("workloads").EnumerateArray().Where(e => !e.TryGetProperty("historic", out _)).ToList();
        foreach (var entry in entries)
        {
            Assert.True(
                entry.TryGetProperty("pattern", out _) != entry.TryGetProperty("parts", out _),
                entry.GetProperty("name").GetString()
            );
            Assert.EndsWith(".", entry.GetProperty("reason").GetString());
        }
    }

    [Fact]
    public void Documentation_matches_the_workload_data() =>
        Assert.Equal(
            WorkloadCatalog.CreateMarkdown(),
            File.ReadAllText(Path.Combine(SampleFiles.RepositoryRoot, "docs", "reference", "workloads.md")).ReplaceLineEndings("\n")
        );

    /// <summary>Values of the published facts. The comment at each line states the fact.</summary>
    [Theory]
    [InlineData("log-commit", "4KB sequential write", 1, 1, IoBuffering.None)] // a sector, one block in flight
    [InlineData("log-commit-512", "512B sequential write", 1, 1, IoBuffering.None)] // the smallest flush
    [InlineData("log-commit-60k", "60KB sequential write", 1, 1, IoBuffering.None)] // the largest block
    [InlineData("log-stream", "60KB sequential write", 1, 32, IoBuffering.None)] // 32 to 2008 R2
    [InlineData("log-stream-112", "60KB sequential write", 1, 112, IoBuffering.None)] // 112 since 2012
    [InlineData("log-read", "120KB interlocked read", 1, 4, IoBuffering.None)] // to 120 KB
    [InlineData("log-growth", "8MB sequential write", 1, 1, IoBuffering.None)] // 8 MB reported
    [InlineData("ag-redo", "8KB random 50% write", 8, 1, IoBuffering.None)]
    [InlineData("read-ahead", "512KB interlocked read", 2, 8, IoBuffering.None)] // 64 pages
    [InlineData("checkpoint-256k", "256KB random write", 1, 100, IoBuffering.None)] // 32 pages to 2014
    [InlineData("checkpoint-1m", "1MB random write", 1, 100, IoBuffering.None)] // 128 pages since 2016
    [InlineData("bulk-load", "256KB interlocked write", 4, 4, IoBuffering.None)]
    [InlineData("columnstore-load", "1MB interlocked write", 4, 4, IoBuffering.None)]
    [InlineData("dw-scan-8m", "8MB interlocked read", 4, 8, IoBuffering.None)] // to 8 MB reported
    [InlineData("imoltp-recovery", "256KB interlocked read", 4, 8, IoBuffering.None)]
    [InlineData("backup-read", "1MB interlocked read", 1, 8, IoBuffering.None)] // MAXTRANSFERSIZE to disk
    [InlineData("backup-read-tde", "64KB interlocked read", 1, 8, IoBuffering.None)] // TDE, one data file
    [InlineData("backup-write-4m", "4MB interlocked write", 1, 8, IoBuffering.Hardware)] // the largest
    [InlineData("backup-write-striped", "1MB sequential write", 4, 3, IoBuffering.Hardware)]
    [InlineData("restore-write", "1MB interlocked write", 1, 8, IoBuffering.None)]
    [InlineData("restore-write-64k", "64KB interlocked write", 1, 8, IoBuffering.None)] // RESTORE's own default in 2005
    [InlineData("tempdb", "64KB random 50% write", 4, 8, IoBuffering.Hardware)] // not write-through since 2019
    [InlineData("tempdb-2017", "64KB random 50% write", 4, 8, IoBuffering.None)]
    public void Pattern_matches_its_sources(string name, string pattern, int threads, int outstanding, IoBuffering buffering)
    {
        var test = Assert.Single(WorkloadCatalog.Resolve(name));
        Assert.Equal(
            (pattern, threads, outstanding, buffering),
            (PatternText.Describe(test), test.ThreadCount, test.OutstandingIO, test.Buffering)
        );
    }

    [Theory]
    [InlineData("restore", "backup 1MB interlocked read 1x8, data 1MB interlocked write 1x8")]
    [InlineData("index-rebuild", "data 512KB interlocked read 4x8, data 1MB interlocked write 2x4, log 60KB sequential write 1x32")]
    [InlineData("checkdb-online", "data 512KB interlocked read 4x16, data 8KB random write 1x8 at 100, tempdb 64KB random write 1x4")]
    [InlineData("imoltp-checkpoint", "data 256KB sequential write 4x4, data 4KB sequential write 1x4")]
    [InlineData("log-shipping-backup", "log 120KB interlocked read 1x4, backup 1MB interlocked write 1x8")]
    [InlineData("log-shipping-restore", "backup 64KB interlocked read 1x8, log 60KB sequential write 1x8, data 8KB random 50% write 8x1")]
    [InlineData("bulk-load-logged", "data 256KB interlocked write 4x4, log 60KB sequential write 1x32")]
    [InlineData("tde-scan", "data 512KB interlocked read 1x8, data 1MB interlocked write 1x4")]
    public void Mixed_workload_runs_its_patterns_concurrently(string name, string patterns)
    {
        var workload = WorkloadCatalog.Find(name);
        var test = Assert.Single(workload.CreateSpecifications());
        Assert.True(workload.IsMixed);
        Assert.Equal(
            patterns,
            string.Join(
                ", ",
                test.Targets.Select(t =>
                    FormattableString.Invariant(
                        $"{t.Role} {PatternText.Describe(t.Pattern!)} {t.Pattern!.ThreadCount}x{t.Pattern.OutstandingIO}{(t.Pattern.MaxIopsPerThread * t.Pattern.ThreadCount is { } rate ? $" at {rate}" : "")}"
                    )
                )
            )
        );
        Assert.All(test.Targets, target => Assert.Contains(target.Role!, new[] { "data", "log", "tempdb", "backup" }));
        Assert.Equal(name, test.ToString().Split(':')[0]);
    }

    [Fact]
    public void Corrected_texts_stay_corrected()
    {
        string Reason(string name) => WorkloadCatalog.Find(name).Reason;
        Assert.Contains("up to 64 MB is instant", Reason("create-database"));
        Assert.Contains("up to 64 MB is instant", Reason("log-growth"));
        Assert.Contains("lagging replica", WorkloadCatalog.Find("log-read").Role);
        Assert.DoesNotContain("20 ms", Reason("checkpoint"));
        Assert.DoesNotContain("lazy writer", WorkloadCatalog.Find("page-write").Role);
        Assert.Contains("reports 1,024 KB", Reason("read-ahead"));
        Assert.Contains("1 MB", Reason("index-rebuild-write"));
        Assert.Contains("Premium SSD v2", Reason("cloud-8k"));
        Assert.Contains("without credits and without a time limit", Reason("cloud-8k"));
        Assert.Contains("128 KB (2006 and 2010), or 256 KB (2020 and 2021)", Reason("bulk-load"));
        Assert.Contains("in SQL Server 2005", Reason("log-shipping-restore"));
        Assert.DoesNotContain("large settings", Reason("restore-read"));
        Assert.All(
            new[] { "log-commit-8k", "log-commit-16k", "log-commit-32k", "log-commit-60k" },
            name => Assert.Contains("IoBench assumes", Reason(name))
        );
    }

    [Fact]
    public void Workload_without_a_pattern_is_refused_with_the_reason()
    {
        Assert.Equal(["filestream", "backup-to-s3"], WorkloadCatalog.Notes.Select(note => note.Name));
        var error = Assert.Throws<IoBenchException>(() => WorkloadCatalog.Find("FileStream"));
        Assert.Equal("IoBench.UnknownWorkload", error.ErrorId);
        Assert.Contains("SQL Server therefore has no FILESTREAM pattern of its own", error.Message);
    }

    [Fact]
    public void Default_suite_takes_at_most_five_minutes() =>
        Assert.True(WorkloadCatalog.Find("sql-server").Duration <= TimeSpan.FromMinutes(5));
}
