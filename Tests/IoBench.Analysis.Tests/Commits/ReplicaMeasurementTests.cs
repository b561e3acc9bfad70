using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class ReplicaMeasurementTests
{
    private const long Millisecond = 1_000_000;

    [Theory]
    [InlineData(9, 1, 1, CommitPart.LocalDisk)]
    [InlineData(1, 9, 1, CommitPart.Network)]
    [InlineData(1, 1, 9, CommitPart.RemoteDisk)]
    // The commit waits for the replica, although the local disk is the slowest of the three.
    [InlineData(5, 4, 3, CommitPart.Network)]
    public void Part_that_is_longest_in_the_slow_commits_is_named(long local, long network, long remote, CommitPart expected)
    {
        for (var attempt = 0; attempt < 20; attempt++)
        {
            var random = new Random(attempt);
            long Spread(long time) => time * Millisecond + random.NextInt64(Millisecond / 10);
            var item = Measure(5000, _ => (Spread(local), Spread(network), Spread(remote)));
            Assert.Equal(expected, item.LongestPart);
            Assert.Equal(100, item.GetLongestPercent(expected));
            Assert.InRange(item.SlowCommitCount, 50, 5000);
        }
    }

    [Theory]
    [InlineData(30, "With 1 committer, the remote disk dominates the p99 latency")]
    [InlineData(80, "Inconclusive: with 1 committer, the remote disk was the longest part in 100%")]
    public void Part_is_inconclusive_when_other_programs_use_the_cpus(double otherCpu, string text) =>
        Assert.StartsWith(
            text,
            FindPart(Measure(5000, _ => (Millisecond, Millisecond, 9 * Millisecond), otherCpu: otherCpu)).What,
            StringComparison.Ordinal
        );

    [Fact]
    public void Slow_commits_count_and_not_the_usual_ones()
    {
        // The network is usually the longest part, but 2% of the remote writes are slow.
        var item = Measure(5000, i => (Millisecond, 3 * Millisecond, (i % 50 == 0 ? 20 : 1) * Millisecond));
        Assert.Equal(CommitPart.RemoteDisk, item.LongestPart);
        Assert.Equal((3, 1), (Math.Round(item.NetworkP50Ms!.Value), Math.Round(item.RemoteDiskP50Ms!.Value)));
    }

    [Fact]
    public void Part_is_inconclusive_when_two_take_turns()
    {
        var item = Measure(
            5000,
            i => i % 2 == 0 ? (Millisecond, 5 * Millisecond, Millisecond) : (Millisecond, Millisecond, 5 * Millisecond)
        );
        Assert.Null(item.LongestPart);
        var finding = FindPart(item);
        Assert.StartsWith("Inconclusive: with 1 committer, no part was clearly the longest", finding.What, StringComparison.Ordinal);
        Assert.Contains("(local disk 0%, network 50%, remote disk 50%)", finding.What, StringComparison.Ordinal);
        Assert.Null(finding.WhatToDo);
    }

    [Fact]
    public void Part_is_inconclusive_without_enough_commits()
    {
        var item = Measure(999, _ => (Millisecond, 9 * Millisecond, Millisecond));
        Assert.Null(item.P99Ms);
        Assert.Null(item.LongestPart);
        Assert.Null(item.NetworkLongestPercent);
        var finding = FindPart(item);
        Assert.Contains("999 commits are too few for a p99 latency", finding.What, StringComparison.Ordinal);
        Assert.Equal("Repeat with a longer duration", finding.WhatToDo);
    }

    [Theory]
    [InlineData(0, 100, false)]
    [InlineData(50, 50, false)]
    [InlineData(55, 45, false)]
    [InlineData(70, 30, true)]
    [InlineData(6, 4, false)]
    [InlineData(10, 0, true)]
    [InlineData(9, 0, false)]
    public void Share_above_one_half_must_be_significant(long local, long network, bool isNamed)
    {
        var slow = new Dictionary<CommitPart, long>
        {
            [CommitPart.LocalDisk] = local,
            [CommitPart.Network] = network,
            [CommitPart.RemoteDisk] = 0,
        };
        Assert.Equal(isNamed || local == 0, ReplicaMeasurement.FindLongestPart(slow) is not null);
        if (isNamed)
            Assert.Equal(CommitPart.LocalDisk, ReplicaMeasurement.FindLongestPart(slow));
    }

    [Fact]
    public void Average_of_a_commit_follows_from_its_parts()
    {
        var random = new Random(11);
        var (sum, count) = (0.0, 2000);
        var item = Measure(
            count,
            _ =>
            {
                var parts = (
                    random.NextInt64(1, 5 * Millisecond),
                    random.NextInt64(1, 5 * Millisecond),
                    random.NextInt64(1, 5 * Millisecond)
                );
                sum += Math.Max(parts.Item1, parts.Item2 + parts.Item3);
                return parts;
            }
        );
        Assert.Equal(sum / count / 1e6, item.AverageMs!.Value, 1e-9);
        Assert.True(item.AverageMs >= item.LocalDiskAverageMs);
        Assert.True(item.AverageMs >= item.NetworkAverageMs + item.RemoteDiskAverageMs - 1e-9);
        Assert.Equal(
            100,
            item.LocalDiskLongestPercent!.Value + item.NetworkLongestPercent!.Value + item.RemoteDiskLongestPercent!.Value,
            1e-9
        );
    }

    [Fact]
    public void Prediction_is_the_first_finding_and_compares_with_the_commit_alone()
    {
        var result = CreateResult(Measure(5000, _ => (Millisecond, Millisecond, 2 * Millisecond)));
        Assert.Equal(FindingCodes.CommitReplica, result.Findings[0].Code);
        Assert.Contains(
            "With 1 committer, IoBench measured 321 commits/s with an average latency of 3.000 ms (p99 ",
            result.Summary,
            StringComparison.Ordinal
        );
        Assert.EndsWith(
            "; without the replica, it measured 900 commits/s with an average latency of 1.100 ms.",
            result.Summary,
            StringComparison.Ordinal
        );
        Assert.Contains(result.Findings, finding => finding.Code == FindingCodes.CommitSettings);
        Assert.All(result.Replica!.Measurements, item => Assert.Same(result, item.Result));
    }

    [Theory]
    [InlineData(321, 5, 0, null)]
    [InlineData(950, 5, 0, null)]
    [InlineData(1100, 5, 0, "Inconclusive: commits with the replica were faster than commits without it")]
    [InlineData(321, 50, 0, "Inconclusive: other programs used 50% of the CPU time.")]
    [InlineData(321, 5, 10, "Inconclusive: the hypervisor gave 10% of the CPU time to other virtual machines.")]
    public void Prediction_is_inconclusive_if_something_else_affected_the_test(double rate, double otherCpu, double stolen, string? doubt)
    {
        const string prediction =
            "Predicted commit latency with a synchronous replica at sql2:8434 (write + grouped flush): With 1 committer, ";
        var finding = CreateResult(Measure(5000, _ => (Millisecond, 1, 1), rate: rate, otherCpu: otherCpu, stolenCpu: stolen)).Findings[0];
        Assert.StartsWith(doubt ?? prediction, finding.What, StringComparison.Ordinal);
        Assert.Contains(prediction, finding.What, StringComparison.Ordinal);
        Assert.Equal(doubt is null ? null : "Repeat the test when this computer is less busy", finding.WhatToDo);
    }

    [Theory]
    [InlineData(512, 512, null)]
    [InlineData(4096, 4096, null)]
    [InlineData(512, 4096, "primary")]
    [InlineData(4096, 512, "replica")]
    public void Different_sectors_need_trace_flag_1800_on_the_512_byte_side(int own, int other, string? side)
    {
        var result = CreateResult(
            Measure(2000, _ => (1, 1, 1)),
            own,
            new ReplicaFacts
            {
                Host = "sql2",
                Path = "/d",
                IsWindows = false,
                PhysicalSectorSize = other,
            }
        );
        var finding = result.Findings.SingleOrDefault(item => item.Code == FindingCodes.CommitReplicaSectors);
        Assert.Equal(side is null ? null : $"Use trace flag 1800 on the {side}, which has 512-byte sectors", finding?.WhatToDo);
    }

    [Fact]
    public void Replica_in_memory_or_on_the_same_computer_is_a_warning()
    {
        var item = Measure(2000, _ => (1, 1, 1));
        var memory = CreateResult(
            item,
            facts: new ReplicaFacts
            {
                Host = "sql2",
                Path = "/d",
                IsWindows = false,
                IsInMemory = true,
            }
        );
        Assert.Contains(
            memory.Findings,
            finding => finding.Code == FindingCodes.CommitReplicaPlace && finding.Severity == FindingSeverity.Warning
        );
        var local = CreateResult(item, isLocal: true);
        Assert.Contains(local.Findings, finding => finding.What.StartsWith("The replica is on this computer,", StringComparison.Ordinal));
        Assert.DoesNotContain(CreateResult(item).Findings, finding => finding.Code == FindingCodes.CommitReplicaPlace);
    }

    [Theory]
    [InlineData(500, "Inconclusive")]
    [InlineData(990, "does not make commits noticeably slower")]
    [InlineData(100, "10.0 times as long")]
    public void Cost_of_redo_is_stated_if_it_is_clear(double redoRate, string text)
    {
        var plain = Measure(2000, _ => (Millisecond, 1, 1), rate: 1000);
        var redo = Measure(2000, _ => (3 * Millisecond, 1, 1), hasRedo: true, rate: redoRate, spread: redoRate == 500 ? 1.5 : 0.01);
        var finding = CreateResult([plain, redo]).Findings.Single(item => item.Code == FindingCodes.CommitReplicaRedo);
        Assert.Contains(text, finding.What, StringComparison.Ordinal);
    }

    private static Finding FindPart(ReplicaMeasurement item) =>
        CreateResult(item).Findings.Single(finding => finding.Code == FindingCodes.CommitReplicaPart);

    private static ReplicaMeasurement Measure(
        int commits,
        Func<int, (long Local, long Network, long Remote)> create,
        bool hasRedo = false,
        double rate = 321,
        double spread = 0.01,
        double? otherCpu = null,
        double stolenCpu = 0
    )
    {
        var rounds = Enumerable
            .Range(0, 5)
            .Select(round => new CommitSample
            {
                Case = new CommitCase(CommitMethod.GroupedFlush, 1, 4096, IsReplicated: true, HasRedo: hasRedo),
                Latencies = new LatencyHistogram(),
                Replica = new ReplicaLatencies(),
                Writes = 0,
                FlushCalls = 0,
                CommitsPerSecond = rate * (1 + spread * (round - 2) / 2),
                OtherCpuPercent = otherCpu,
                StolenCpuPercent = stolenCpu,
            })
            .ToList();
        for (var i = 0; i < commits; i++)
        {
            var (local, network, remote) = create(i);
            rounds[i % 5].Replica!.Add(local, network, remote);
        }
        return ReplicaMeasurement.FromRounds(rounds);
    }

    private static CommitResult CreateResult(
        ReplicaMeasurement item,
        int sectors = 512,
        ReplicaFacts? facts = null,
        bool isLocal = false
    ) => CreateResult([item], sectors, facts, isLocal);

    private static CommitResult CreateResult(
        IReadOnlyList<ReplicaMeasurement> items,
        int sectors = 512,
        ReplicaFacts? facts = null,
        bool isLocal = false
    ) =>
        new()
        {
            Path = "/data/c.dat",
            StartTime = DateTimeOffset.UnixEpoch,
            DurationSeconds = 5,
            Storage = new CommitStorage
            {
                IsWindows = false,
                FileSystem = "xfs",
                PhysicalSectorSize = sectors,
            },
            Measurements =
            [
                new CommitMeasurement
                {
                    Method = CommitMethod.GroupedFlush,
                    Committers = 1,
                    WriteSize = 4096,
                    CommitsPerSecond = 900,
                    RoundRates = [900, 900, 900],
                    AverageMs = 1.1,
                },
            ],
            Replica = new ReplicaResult
            {
                Address = "sql2:8434",
                IsLocal = isLocal,
                Replica =
                    facts
                    ?? new ReplicaFacts
                    {
                        Host = "sql2",
                        Path = "/data/r.dat",
                        IsWindows = false,
                        PhysicalSectorSize = sectors,
                    },
                Measurements = items,
            },
        };
}
