using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Turns the measurements with a replica into the prediction of an availability group.</summary>
internal sealed class ReplicaAdvisor(CommitResult result, ReplicaResult replica)
{
    private const string Repeat = "Repeat the test when this computer is less busy";

    public static IEnumerable<Finding> Advise(CommitResult result, ReplicaResult replica) => new ReplicaAdvisor(result, replica).Advise();

    private IEnumerable<Finding> Advise()
    {
        var main = FindMain();
        if (main.Count > 0)
            yield return Predict(main);
        foreach (var item in main)
            yield return FindLongestPart(item);
        foreach (var item in main)
            if (CompareRedo(item) is { } redo)
                yield return redo;
        foreach (var finding in new[] { FindSectors(), FindPlace() })
            if (finding is not null)
                yield return finding;
    }

    /// <summary>Measurements with SQL Server's default method and the usual size, without redo, by number of committers.</summary>
    private List<ReplicaMeasurement> FindMain()
    {
        var method = result.Storage.IsWindows ? CommitMethod.WriteThrough : CommitMethod.GroupedFlush;
        var plain = replica.Measurements.Where(item => item.Method == method && !item.HasRedo && item.CommitCount > 0).ToList();
        var size = plain.Exists(item => item.WriteSize == 4096) ? 4096 : plain.FirstOrDefault()?.WriteSize;
        return [.. plain.Where(item => item.WriteSize == size).OrderBy(item => item.Committers)];
    }

    private Finding Predict(List<ReplicaMeasurement> main)
    {
        ReplicaMeasurement[] items = main.Count > 1 ? [main[0], main[^1]] : [main[0]];
        var doubt = FindDoubt(items);
        return result.CreateFinding(
            FindingCodes.CommitReplica,
            $"{(doubt is null ? "" : $"Inconclusive: {doubt} ")}Predicted commit latency with a synchronous replica at {replica.Address} ({CommitMeasurement.GetName(main[0].Method)}): {string.Join(" ", items.Select(item => DescribePrediction(item)))}",
            doubt is null ? null : Repeat,
            evidence:
            [
                .. items.Select(item => new FindingEvidence(NumberFormat.Pluralize(item.Committers, "committer"), item.AverageMs, "ms")),
            ]
        );
    }

    /// <summary>Why the prediction is inconclusive, as a sentence; null if it is not.</summary>
    private string? FindDoubt(IReadOnlyList<ReplicaMeasurement> items)
    {
        var pairs = items.Select(item => (Item: item, Alone: FindAlone(item))).ToList();
        var cpu = pairs.Max(pair => Math.Max(pair.Item.OtherCpuPercent ?? 0, pair.Alone?.OtherCpuPercent ?? 0));
        var stolen = pairs.Max(pair => Math.Max(pair.Item.StolenCpuPercent, pair.Alone?.StolenCpuPercent ?? 0));
        if (CommitAdvisor.DescribeBusyCpu(cpu, stolen) is { } busy)
            return busy + ".";
        // A replica cannot make commits faster, so something else changed.
        return pairs.Exists(pair => pair.Alone?.CommitsPerSecond * CommitMeasurement.MinFactor < pair.Item.CommitsPerSecond)
            ? "commits with the replica were faster than commits without it, so something else affected the test."
            : null;
    }

    private static string? DescribeBusyCpu(ReplicaMeasurement item) =>
        CommitAdvisor.DescribeBusyCpu(item.OtherCpuPercent, item.StolenCpuPercent);

    private CommitMeasurement? FindAlone(ReplicaMeasurement item) =>
        result.Measurements.FirstOrDefault(local =>
            local is { Extends: false, IsMisaligned: false }
            && (local.Method, local.Committers, local.WriteSize) == (item.Method, item.Committers, item.WriteSize)
        );

    private string DescribePrediction(ReplicaMeasurement item)
    {
        var alone = FindAlone(item);
        return Invariant(
                $"With {NumberFormat.Pluralize(item.Committers, "committer")}, IoBench measured {item.CommitsPerSecond:#,0} commits/s with an average latency of {item.AverageMs:0.000} ms"
            )
            + (item.P99Ms is { } p99 ? Invariant($" (p99 {p99:0.000} ms)") : "")
            + (
                alone?.AverageMs is { } ms
                    ? Invariant(
                        $"; without the replica, it measured {alone.CommitsPerSecond:#,0} commits/s with an average latency of {ms:0.000} ms."
                    )
                    : "."
            );
    }

    private Finding FindLongestPart(ReplicaMeasurement item)
    {
        var committers = NumberFormat.Pluralize(item.Committers, "committer");
        FindingEvidence[] evidence =
        [
            .. Enum.GetValues<CommitPart>()
                .Select(part => new FindingEvidence(
                    $"Commits in which the {ReplicaMeasurement.GetName(part)} took longest",
                    item.GetLongestPercent(part),
                    "%"
                )),
        ];
        if (item.P99Ms is not { } p99)
            return result.CreateFinding(
                FindingCodes.CommitReplicaPart,
                Invariant(
                    $"Inconclusive: with {committers}, {item.CommitCount:#,0} commits are too few for a p99 latency, which requires 1,000."
                ),
                "Repeat with a longer duration",
                evidence: evidence
            );
        var slow = Invariant($"the {item.SlowCommitCount:#,0} commits at or above the p99 of {p99:0.000} ms");
        var busy = DescribeBusyCpu(item) is { } reason
            ? $" {char.ToUpperInvariant(reason[0])}{reason[1..]}, so the times of all parts include waits for a CPU."
            : "";
        if (item.LongestPart is { } disturbed && busy.Length > 0)
            return result.CreateFinding(
                FindingCodes.CommitReplicaPart,
                Invariant(
                    $"Inconclusive: with {committers}, the {ReplicaMeasurement.GetName(disturbed)} was the longest part in {item.GetLongestPercent(disturbed):0}% of {slow}.{busy}"
                ),
                Repeat,
                evidence: evidence
            );
        if (item.LongestPart is { } longest)
            return result.CreateFinding(
                FindingCodes.CommitReplicaPart,
                Invariant(
                    $"With {committers}, the {ReplicaMeasurement.GetName(longest)} dominates the p99 latency: it was the longest part in {item.GetLongestPercent(longest):0}% of {slow}."
                ),
                longest switch
                {
                    CommitPart.LocalDisk => "For faster commits, improve the log storage of the primary",
                    CommitPart.Network => "For faster commits, reduce the network latency between the two computers",
                    _ => "For faster commits, improve the log storage of the replica",
                },
                evidence: evidence
            );
        var shares = string.Join(
            ", ",
            Enum.GetValues<CommitPart>().Select(part => Invariant($"{ReplicaMeasurement.GetName(part)} {item.GetLongestPercent(part):0}%"))
        );
        return result.CreateFinding(
            FindingCodes.CommitReplicaPart,
            $"Inconclusive: with {committers}, no part was clearly the longest in more than half of {slow} ({shares}).{busy}",
            null,
            evidence: evidence
        );
    }

    private Finding? CompareRedo(ReplicaMeasurement plain)
    {
        var redo = replica.Measurements.FirstOrDefault(item =>
            item.HasRedo
            && item.CommitCount > 0
            && (item.Method, item.Committers, item.WriteSize) == (plain.Method, plain.Committers, plain.WriteSize)
        );
        if (redo is null)
            return null;
        var isBusy = new[] { plain, redo }.Any(item => DescribeBusyCpu(item) is not null);
        var change = CommitMeasurement.CompareRates(plain.RoundRates, redo.RoundRates, isBusy);
        var committers = NumberFormat.Pluralize(plain.Committers, "committer");
        FindingEvidence[] evidence = [new("Without redo", plain.AverageMs, "ms"), new("With redo", redo.AverageMs, "ms")];
        return change.Verdict switch
        {
            ComparisonVerdict.Better => result.CreateFinding(
                FindingCodes.CommitReplicaRedo,
                Invariant(
                    $"With {committers}, redo on the replica makes a commit take {change.Factor:0.0} times as long: {redo.AverageMs:0.000} ms instead of {plain.AverageMs:0.000} ms on average."
                ),
                "Put the log and the data files of the replica on different storage",
                FindingSeverity.Warning,
                evidence
            ),
            ComparisonVerdict.NoDetectableChange => result.CreateFinding(
                FindingCodes.CommitReplicaRedo,
                $"With {committers}, redo on the replica does not make commits noticeably slower (less than 10%).",
                null,
                evidence: evidence
            ),
            _ => result.CreateFinding(
                FindingCodes.CommitReplicaRedo,
                $"Inconclusive: with {committers}, the effect of redo on the replica is within the run-to-run spread{(isBusy ? ", or other programs disturbed the test" : "")}.",
                "Repeat with a longer duration on an idle computer",
                evidence: evidence
            ),
        };
    }

    private Finding? FindSectors()
    {
        var (own, other) = (result.Storage.PhysicalSectorSize, replica.Replica.PhysicalSectorSize);
        if (own == other || Math.Min(own, other) != 512)
            return null;
        return result.CreateFinding(
            FindingCodes.CommitReplicaSectors,
            Invariant(
                $"The physical sectors of {result.Path} are {own:#,0} bytes, and those of the replica are {other:#,0} bytes. On one of the two computers, log I/O would be misaligned, and SQL Server would write the log synchronously."
            ),
            $"Use trace flag 1800 on the {(own == 512 ? "primary" : "replica")}, which has 512-byte sectors",
            FindingSeverity.Warning
        );
    }

    private Finding? FindPlace()
    {
        if (replica.Replica.IsInMemory || replica.Replica.IsNetwork)
            return result.CreateFinding(
                FindingCodes.CommitReplicaPlace,
                replica.Replica.IsInMemory
                    ? $"The file of the replica is in memory ({replica.Replica.FileSystem}), so IoBench did not measure the remote disk."
                    : $"The file of the replica is on a third computer ({replica.Replica.FileSystem}), so the time of the remote disk includes the network time to that computer.",
                "On the replica, use a folder on the storage of the log",
                FindingSeverity.Warning
            );
        return replica.IsLocal
            ? result.CreateFinding(
                FindingCodes.CommitReplicaPlace,
                "The replica is on this computer, so IoBench did not measure the network. The primary and the replica also share the CPUs.",
                "Start iobench replica on another computer",
                FindingSeverity.Warning
            )
            : null;
    }
}
