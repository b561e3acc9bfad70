using System.Net;

namespace IoBench.Engine;

public sealed partial class CommitTarget
{
    /// <summary>Runs one round of a case with a replica.</summary>
    /// <param name="token">Ends the round early and throws <see cref="OperationCanceledException"/>.</param>
    /// <exception cref="IoBenchException">An I/O failed, or the replica was lost.</exception>
    public ReplicaSample RunReplicated(CommitCase what, TimeSpan duration, ReplicaClient replica, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(what);
        ArgumentNullException.ThrowIfNull(replica);
        var before = CpuSnapshot.Capture();
        var round = new CommitRound(what, 0, _overwrittenEnd);
        var pattern = CreatePattern(what.Method, what.WriteSize);
        var latencies = new ReplicaLatencies();
        var committers = new List<ReplicatedCommitter>();
        try
        {
            for (var i = 0; i < what.Committers; i++)
                committers.Add(CreateReplicatedCommitter(what, round, pattern, i, replica, token));
            round.Begin = Clock.Now + WarmUp;
            round.End = round.Begin + Clock.ToNanoseconds(duration);
            var threads = committers.ConvertAll(committer => new Thread(committer.Run) { IsBackground = true, Name = "IoBench committer" });
            threads.ForEach(thread => thread.Start());
            using (token.Register(() => committers.ForEach(committer => committer.Cancel())))
                threads.ForEach(thread => thread.Join());
            token.ThrowIfCancellationRequested();
            if (committers.Select(committer => committer.Failure).FirstOrDefault(failure => failure is not null) is { } error)
                throw error;
            committers.ForEach(committer => latencies.Add(committer.Latencies));
            var after = CpuSnapshot.Capture();
            return new ReplicaSample
            {
                Case = what,
                Latencies = latencies,
                CommitsPerSecond = committers.Sum(committer => committer.Rate),
                OtherCpuPercent = GetOtherCpuPercent(before, after),
                StolenCpuPercent = after.GetStolenSince(before),
            };
        }
        finally
        {
            committers.ForEach(committer => committer.Dispose());
        }
    }

    internal ReplicaFacts GetReplicaFacts() =>
        new()
        {
            Host = Dns.GetHostName(),
            Path = Path,
            IsWindows = OperatingSystem.IsWindows(),
            FileSystem = Target.FileSystem,
            Device = Target.Device,
            LogicalSectorSize = Target.LogicalSectorSize,
            PhysicalSectorSize = PhysicalSectorSize,
            IsInMemory = IsInMemory,
            IsNetwork = IsNetwork,
        };

    internal RedoLoad CreateRedoLoad(long start, long end) => new(_target, start, end);

    private ReplicatedCommitter CreateReplicatedCommitter(
        CommitCase what,
        CommitRound round,
        IoPattern pattern,
        int number,
        ReplicaClient replica,
        CancellationToken token
    )
    {
        var writer = CreateWriter(what.Method, round.Group, pattern, number);
        try
        {
            return new ReplicatedCommitter(round, writer, replica, replica.OpenStream(what, token), what.WriteSize);
        }
        catch
        {
            writer.Dispose();
            throw;
        }
    }
}
