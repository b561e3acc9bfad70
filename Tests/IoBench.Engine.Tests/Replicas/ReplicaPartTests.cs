namespace IoBench.Engine.Tests;

public class ReplicaPartTests : CreatedFolderTestBase
{
    private static readonly TimeSpan s_delay = TimeSpan.FromMilliseconds(200);
    private static readonly CommitCase s_case = new(CommitMethod.WriteThrough, 2, 4096, IsReplicated: true);

    [Fact]
    public void Commit_is_the_longer_of_the_local_disk_and_the_sum_of_the_other_parts()
    {
        var random = new Random(3);
        var latencies = new ReplicaLatencies();
        var (sum, longest) = ((UInt128)0, new Dictionary<CommitPart, long>());
        for (var i = 0; i < 10_000; i++)
        {
            var (local, network, remote) = (random.NextInt64(1000), random.NextInt64(1000), random.NextInt64(1000));
            latencies.Add(local, network, remote);
            sum += (UInt128)Math.Max(local, network + remote);
            var part =
                local >= network + remote ? CommitPart.LocalDisk
                : network >= remote ? CommitPart.Network
                : CommitPart.RemoteDisk;
            longest[part] = longest.GetValueOrDefault(part) + 1;
        }
        Assert.Equal(sum, latencies.Commits.Sum);
        foreach (var part in Enum.GetValues<CommitPart>())
        {
            Assert.Equal(10_000, latencies.GetPart(part).Count);
            Assert.Equal(longest[part], latencies.GetCommitsByLongestPart(part).Count);
        }
        var twice = new ReplicaLatencies();
        twice.Add(latencies);
        twice.Add(latencies);
        Assert.Equal(2 * sum, twice.Commits.Sum);
        Assert.Equal(2 * longest[CommitPart.Network], twice.GetCommitsByLongestPart(CommitPart.Network).Count);
    }

    [Fact]
    public void Delay_of_the_remote_write_is_the_remote_disk()
    {
        using var replica = new RunningReplica(
            Path.Combine(Folder, "remote.dat"),
            new ChannelSettings { OnWrite = () => Thread.Sleep(s_delay) }
        );
        using var client = replica.Open();
        AssertLongest(CommitPart.RemoteDisk, client);
    }

    [Fact]
    public void Delay_of_the_network_is_the_network()
    {
        using var replica = new RunningReplica(Path.Combine(Folder, "remote.dat"));
        using var proxy = new DelayingProxy(replica.Endpoint.Port, s_delay);
        using var client = ReplicaClient.Open(proxy.Endpoint, RunningReplica.Secret, CancellationToken.None);
        AssertLongest(CommitPart.Network, client);
    }

    [Fact]
    public void Test_fails_when_the_line_is_cut()
    {
        using var replica = new RunningReplica(Path.Combine(Folder, "remote.dat"));
        using var proxy = new DelayingProxy(replica.Endpoint.Port, TimeSpan.Zero);
        using var client = ReplicaClient.Open(proxy.Endpoint, RunningReplica.Secret, CancellationToken.None);
        using var target = RunningReplica.OpenTarget(Path.Combine(Folder, "local.dat"));
        using var cutter = new Timer(_ => proxy.Dispose(), null, 500, Timeout.Infinite);
        var error = Assert.Throws<IoBenchException>(() => target.Run(s_case, TimeSpan.FromMinutes(10), client, CancellationToken.None));
        Assert.Contains(error.ErrorId, new[] { "IoBench.ReplicaLost", "IoBench.ReplicaUnreachable" });
        Assert.Null(target.Close());
        replica.WaitForLine("because the connection was lost");
    }

    // Far above what a busy computer adds, in each of several rounds.
    private void AssertLongest(CommitPart part, ReplicaClient client)
    {
        using var target = RunningReplica.OpenTarget(Path.Combine(Folder, "local.dat"));
        for (var round = 0; round < 3; round++)
        {
            var sample = target.Run(s_case, TimeSpan.FromSeconds(1), client, CancellationToken.None);
            var latencies = sample.Replica!;
            Assert.True(latencies.Commits.Count > 0);
            Assert.InRange(latencies.GetPart(part).Min, Clock.ToNanoseconds(s_delay), long.MaxValue);
            var longest = latencies.GetCommitsByLongestPart(part).Count;
            Assert.True(longest > latencies.Commits.Count / 2, $"{longest} of {latencies.Commits.Count}");
        }
        Assert.Null(target.Close());
    }
}
