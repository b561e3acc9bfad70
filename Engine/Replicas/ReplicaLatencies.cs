namespace IoBench.Engine;

/// <summary>Parts of a commit with a synchronous replica. The local write runs while the record is sent and written remotely.</summary>
public enum CommitPart : long
{
    /// <summary>Write of the primary.</summary>
    LocalDisk,

    /// <summary>Round trip without the write of the replica.</summary>
    Network,

    /// <summary>Write of the replica, as it measured it.</summary>
    RemoteDisk,
}

/// <summary>Latencies of the parts of commits with a replica. A commit is the longer of the local disk, and the sum of the network and the
/// remote disk.</summary>
public sealed class ReplicaLatencies
{
    private readonly LatencyHistogram[] _parts = CreateHistograms();
    private readonly LatencyHistogram[] _longest = CreateHistograms();

    public LatencyHistogram Commits { get; } = new();

    public LatencyHistogram GetPart(CommitPart part) => _parts[(int)part];

    /// <summary>Latencies of the commits that waited longest for this part.</summary>
    public LatencyHistogram GetCommitsByLongestPart(CommitPart part) => _longest[(int)part];

    /// <summary>Adds a commit. Times are in nanoseconds.</summary>
    public void Add(long local, long network, long remote)
    {
        _parts[(int)CommitPart.LocalDisk].Add(local);
        _parts[(int)CommitPart.Network].Add(network);
        _parts[(int)CommitPart.RemoteDisk].Add(remote);
        var commit = Math.Max(local, network + remote);
        Commits.Add(commit);
        _longest[(int)GetLongest(local, network, remote)].Add(commit);
    }

    public void Add(ReplicaLatencies other)
    {
        ArgumentNullException.ThrowIfNull(other);
        Commits.Add(other.Commits);
        for (var i = 0; i < _parts.Length; i++)
        {
            _parts[i].Add(other._parts[i]);
            _longest[i].Add(other._longest[i]);
        }
    }

    // A commit that waited for the replica does not become faster with another local disk, even if that was the slowest of the three.
    private static CommitPart GetLongest(long local, long network, long remote) =>
        local >= network + remote ? CommitPart.LocalDisk
        : network >= remote ? CommitPart.Network
        : CommitPart.RemoteDisk;

    private static LatencyHistogram[] CreateHistograms() => [.. Enum.GetValues<CommitPart>().Select(_ => new LatencyHistogram())];
}
