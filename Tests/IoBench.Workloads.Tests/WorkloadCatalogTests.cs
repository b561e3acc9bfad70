using IoBench.Engine;

namespace IoBench.Workloads.Tests;

public class WorkloadCatalogTests
{
    [Fact]
    public void SQL_Server_suite_has_nine_tests_in_order()
    {
        var tests = WorkloadCatalog.Resolve("sql-server");
        Assert.Equal(
            ["page-read-qd1", "page-read", "oltp", "extent-read", "read-ahead", "checkpoint", "log-commit", "log-stream", "tempdb"],
            tests.Select(t => t.Workload)
        );
        Assert.Equal(
            [
                "8KB random read",
                "8KB random read",
                "8KB random 30% write",
                "64KB random read",
                "512KB interlocked read",
                "16KB random write",
                "4KB sequential write",
                "60KB sequential write",
                "64KB random 50% write",
            ],
            tests.Select(PatternText.Describe)
        );
        Assert.Equal(
            [(1, 1), (4, 8), (4, 8), (4, 8), (2, 8), (1, 64), (1, 1), (1, 32), (4, 8)],
            tests.Select(t => (t.ThreadCount, t.OutstandingIO))
        );
        Assert.All(tests, t => Assert.Equal(t.Workload == "tempdb" ? IoBuffering.Hardware : IoBuffering.None, t.Buffering));
        Assert.All(tests, t => Assert.False(string.IsNullOrEmpty(t.WorkloadRole)));
    }

    [Fact]
    public void Every_workload_has_a_pattern_a_role_and_a_reason()
    {
        string[] names =
        [
            "log-commit",
            "log-stream",
            "log-many",
            "log-read",
            "page-read",
            "page-read-qd1",
            "oltp",
            "extent-read",
            "read-ahead",
            "page-write",
            "checkpoint",
            "checkpoint-256k",
            "checkpoint-1m",
            "tempdb",
            "tempdb-2017",
            "checkdb",
            "backup-read",
            "backup-write",
            "index-rebuild-read",
            "index-rebuild-write",
            "create-database",
            "canary",
            "cloud-disk",
            "sql-server",
            "sql-server-full",
            "dw",
            "sqlio-classic",
            "diskspd-classic",
            "crystaldiskmark",
        ];
        Assert.All(names, name => Assert.Equal(name, WorkloadCatalog.Find(name).Name));
        Assert.All(
            WorkloadCatalog.All,
            w =>
            {
                Assert.NotEmpty(w.Reason);
                Assert.NotEmpty(w.CreateSpecifications());
                if (w.Kind != CatalogEntryKind.Suite)
                    Assert.NotEmpty(w.Role);
            }
        );
        Assert.Equal(WorkloadCatalog.All.Count, WorkloadCatalog.All.Select(w => w.Name).Distinct(StringComparer.OrdinalIgnoreCase).Count());
    }

    /// <summary>Compares the suite with the published command lines, whose options are parsed here.</summary>
    [Fact]
    public void SQLIO_classic_suite_matches_the_twelve_published_commands()
    {
        var lines = File.ReadAllLines(SampleFiles.GetPath("documents", "sqlio-commands.txt"))
            .Where(line => line.StartsWith("sqlio ", StringComparison.Ordinal))
            .ToList();
        var tests = WorkloadCatalog.Resolve("sqlio-classic");
        Assert.Equal(12, lines.Count);
        Assert.Equal(12, tests.Count);
        for (var i = 0; i < lines.Count; i++)
        {
            var words = lines[i].Split(' ');
            string Option(string letters) => words.First(w => w.StartsWith(letters, StringComparison.Ordinal))[letters.Length..];
            int Number(string letters) => int.Parse(Option(letters), System.Globalization.CultureInfo.InvariantCulture);
            Assert.Equal(Option("-k") == "W" ? 100 : 0, tests[i].WritePercent);
            Assert.Equal(Number("-s"), tests[i].Duration.TotalSeconds);
            Assert.Equal(Option("-f") == "random" ? IoAccessPattern.Random : IoAccessPattern.Interlocked, tests[i].AccessPattern);
            Assert.Equal(Number("-o"), tests[i].OutstandingIO);
            Assert.Equal(Number("-b") * 1024, tests[i].BlockSize);
            Assert.Equal(Option("-F") == "paramMT.txt" ? Math.Min(Environment.ProcessorCount, 256) : 1, tests[i].ThreadCount);
            Assert.Equal(TimeSpan.Zero, tests[i].WarmUp);
            Assert.Equal(92160L << 20, tests[i].FileSize);
        }
        Assert.True(WorkloadCatalog.Find("sqlio-classic").IsHistoric);
    }

    [Fact]
    public void SQLIO_classic_suite_has_one_thread_per_CPU_up_to_256()
    {
        var fortyEight = WorkloadCatalog.Load(48).Workloads.First(w => w.Name == "sqlio-01-read-8k-random");
        Assert.Equal(48, fortyEight.ThreadCount);
        Assert.Equal(256, WorkloadCatalog.Load(400).Workloads.First(w => w.Name == "sqlio-01-read-8k-random").ThreadCount);
    }

    [Fact]
    public void DiskSpd_classic_suite_has_four_scenarios()
    {
        var tests = WorkloadCatalog.Resolve("diskspd-classic");
        Assert.Equal(
            [
                (65536, 0, 4, 32, IoAccessPattern.Random),
                (65536, 0, 4, 32, IoAccessPattern.Interlocked),
                (61440, 100, 1, 1, IoAccessPattern.Sequential),
                (524288, 0, 4, 32, IoAccessPattern.Interlocked),
            ],
            tests.Select(t => ((int)t.BlockSize, t.WritePercent, t.ThreadCount, t.OutstandingIO, t.AccessPattern))
        );
        Assert.All(tests, t => Assert.Equal(15, t.Duration.TotalSeconds));
        Assert.True(WorkloadCatalog.Find("diskspd-classic").IsHistoric);
    }

    [Fact]
    public void Canary_suite_has_a_low_load()
    {
        var tests = WorkloadCatalog.Resolve("canary");
        Assert.Equal(["log-commit-200iops", "page-read-200iops"], tests.Select(t => t.Workload));
        Assert.All(tests, t => Assert.Equal(60, t.Duration.TotalSeconds));
        Assert.All(tests, t => Assert.Equal(200, t.TargetIops));
    }

    [Fact]
    public void Operation_expands_to_both_block_sizes_and_access_patterns()
    {
        var tests = WorkloadCatalog.Resolve("index-rebuild-write");
        Assert.Equal(
            ["8KB random write", "128KB random write", "8KB sequential write", "128KB sequential write"],
            tests.Select(PatternText.Describe)
        );
        Assert.Equal("8KB random write", PatternText.Describe(Assert.Single(WorkloadCatalog.Resolve("index-rebuild-write-8k-random"))));
        Assert.Equal("512KB sequential write", PatternText.Describe(Assert.Single(WorkloadCatalog.Resolve("create-database"))));
        Assert.Equal(8, WorkloadCatalog.Resolve("tempdb-use").Count);
        Assert.Empty(WorkloadCatalog.Find("index-rebuild-write").Suites);
    }

    [Fact]
    public void Workload_lists_its_suites() =>
        Assert.Equal(
            ["sql-server", "sql-server-full", "log-sizes", "log-sector", "availability-group"],
            WorkloadCatalog.Find("LOG-commit").Suites
        );

    [Fact]
    public void Resolved_specifications_are_independent_copies()
    {
        WorkloadCatalog.Resolve("oltp")[0].BlockSize = 1;
        Assert.Equal(8192, WorkloadCatalog.Resolve("oltp")[0].BlockSize);
    }

    [Theory]
    [InlineData("sqlserver", "sql-server")]
    [InlineData("log-comit", "log-commit")]
    [InlineData("checkpiont", "checkpoint")]
    [InlineData("backup", "backup-read")]
    public void Unknown_name_suggests_similar_names(string name, string suggestion)
    {
        var error = Assert.Throws<IoBenchException>(() => WorkloadCatalog.Resolve(name));
        Assert.Equal("IoBench.UnknownWorkload", error.ErrorId);
        Assert.Contains(suggestion, error.Message);
        Assert.Equal(2, error.ExitCode);
    }

    [Fact]
    public void Unknown_name_without_similar_names_lists_the_suites()
    {
        var error = Assert.Throws<IoBenchException>(() => WorkloadCatalog.Resolve("zz"));
        Assert.Contains("sql-server, sql-server-full", error.Message);
        Assert.DoesNotContain("\n", error.Message);
    }
}
