using System.Diagnostics;
using System.Net.Sockets;
using System.Security.Cryptography;

namespace IoBench.Engine.Tests;

public class ReplicaServerTests : CreatedFolderTestBase
{
    private static readonly CommitCase s_case = new(CommitMethod.WriteThrough, 2, 4096, IsReplicated: true);
    private static readonly TimeSpan s_short = TimeSpan.FromMilliseconds(100);
    private static readonly ChannelSettings s_impatient = new()
    {
        Handshake = TimeSpan.FromMilliseconds(500),
        Frame = TimeSpan.FromSeconds(1),
        Alive = TimeSpan.FromMilliseconds(200),
    };

    private string RemotePath => Path.Combine(Folder, "remote.dat");

    private string LocalPath => Path.Combine(Folder, "local.dat");

    [Theory]
    [InlineData(CommitMethod.WriteThrough, 1, 4096, false)]
    [InlineData(CommitMethod.GroupedFlush, 8, 512, false)]
    [InlineData(CommitMethod.WriteThrough, 4, 61440, true)]
    public void Commits_are_acknowledged_and_both_files_stay_own(CommitMethod method, int committers, int size, bool redo)
    {
        using var replica = new RunningReplica(RemotePath);
        using (var client = replica.Open())
        using (var target = RunningReplica.OpenTarget(LocalPath))
        {
            Assert.Equal(RemotePath, client.Replica.Path);
            Assert.True(client.IsLocal);
            // A busy computer can have no commit in one of the short rounds.
            var commits = 0L;
            for (var round = 0; round < 3; round++)
            {
                var what = new CommitCase(method, committers, size, IsReplicated: true, HasRedo: redo);
                var sample = target.Run(what, s_short, client, CancellationToken.None);
                commits += sample.Latencies.Count;
                foreach (var part in Enum.GetValues<CommitPart>())
                    Assert.Equal(sample.Replica!.Commits.Count, sample.Replica!.GetPart(part).Count);
            }
            Assert.True(commits > 0);
            Assert.Null(target.Close());
        }
        replica.WaitForLine("has ended: ");
        Assert.True(TestFiles.IsOwnTestFile(LocalPath, out var reason), reason);
        Assert.Equal([LocalPath, RemotePath], Directory.GetFiles(Folder).Order());
    }

    [Fact]
    public void Test_with_another_secret_is_refused_and_nothing_is_written()
    {
        using var replica = new RunningReplica(RemotePath);
        var before = Hash();
        var other = SharedSecret.Create("another-secret-of-this-test", null);
        var error = Assert.Throws<IoBenchException>(() => ReplicaClient.Open(replica.Endpoint, other, CancellationToken.None));
        Assert.Equal("IoBench.ReplicaRefused", error.ErrorId);
        replica.WaitForLine("the secret is wrong");
        Assert.Equal(before, Hash());
        // The right secret still works.
        Commit(replica);
    }

    [Theory]
    [InlineData("short", "IoBench.InvalidSecret")]
    [InlineData("", "IoBench.InvalidSecret")]
    [InlineData(null, "IoBench.FileNotFound")]
    public void Secret_that_is_missing_or_short_is_refused(string? text, string id)
    {
        var path = Path.Combine(Folder, "secret.txt");
        if (text is not null)
            File.WriteAllText(path, text + "\n");
        Assert.Equal(id, Assert.Throws<IoBenchException>(() => SharedSecret.Read(path)).ErrorId);
    }

    [Fact]
    public void Replica_with_another_secret_cannot_pose_as_the_right_one()
    {
        using var replica = new RunningReplica(RemotePath);
        using var relay = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        relay.Bind(new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 0));
        relay.Listen();
        var impostor = new Thread(() =>
        {
            using var client = relay.Accept();
            client.Send([.. "IoBench replica1"u8, .. RandomNumberGenerator.GetBytes(32)]);
            var answer = new byte[64];
            for (var read = 0; read < answer.Length; )
                read += client.Receive(answer, read, answer.Length - read, SocketFlags.None);
            // Returns the proof of the client as its own.
            client.Send(answer.AsSpan(32));
            client.Receive(answer);
        });
        impostor.Start();
        var endpoint = replica.Endpoint with { Port = ((System.Net.IPEndPoint)relay.LocalEndPoint!).Port };
        var error = Assert.Throws<IoBenchException>(() => ReplicaClient.Open(endpoint, RunningReplica.Secret, CancellationToken.None));
        Assert.Equal("IoBench.ReplicaRefused", error.ErrorId);
        impostor.Join();
    }

    [Fact]
    public void Garbage_on_the_port_is_refused_and_nothing_is_written()
    {
        using var replica = new RunningReplica(RemotePath, s_impatient);
        var before = Hash();
        var random = new Random(4);
        for (var i = 0; i < 300; i++)
        {
            using var socket = replica.Connect();
            var bytes = new byte[random.Next(300)];
            random.NextBytes(bytes);
            try
            {
                socket.Send(bytes);
            }
            catch (SocketException)
            {
                // The replica closed the connection first.
            }
        }
        Assert.Equal(before, Hash());
        Assert.Equal([RemotePath], Directory.GetFiles(Folder));
        // Only the first refusals are printed.
        Assert.InRange(replica.Lines.Count, 1, 12);
        Commit(replica);
    }

    [Fact]
    public void Garbage_after_the_secret_is_refused_and_nothing_is_written()
    {
        using var replica = new RunningReplica(RemotePath, s_impatient);
        using (var client = replica.Open())
        {
            var before = Hash();
            var random = new Random(5);
            for (var i = 0; i < 100; i++)
            {
                using var channel = replica.OpenChannel();
                var bytes = new byte[random.Next(200)];
                random.NextBytes(bytes);
                // Every second input is a frame with a valid signature and a random kind and payload.
                if (i % 2 == 0)
                    channel.Send((ChannelFrameKind)random.Next(2, 10), bytes);
                else
                    channel.Send(bytes);
            }
            Assert.Equal(before, Hash());
        }
        Commit(replica);
    }

    [Fact]
    public void Record_of_another_size_or_twice_ends_the_connection()
    {
        using var replica = new RunningReplica(RemotePath);
        foreach (var isReplayed in new[] { false, true })
        {
            using var session = replica.OpenChannel();
            var id = Guid.NewGuid();
            session.Send(ChannelFrameKind.Session, id.ToByteArray());
            session.Expect(ChannelFrameKind.Facts);
            using var channel = replica.OpenChannel();
            channel.Send(ChannelFrameKind.Begin, new ReplicaStream(id, CommitMethod.WriteThrough, 4096, false).ToBytes());
            channel.Expect(ChannelFrameKind.Ready);
            var frame = new byte[SecretChannel.GetFrameSize(isReplayed ? 4096 : 8192)];
            channel.Seal(frame, ChannelFrameKind.Write);
            channel.Send(frame);
            if (isReplayed)
            {
                channel.Expect(ChannelFrameKind.Acknowledgment);
                channel.Send(frame);
            }
            Assert.ThrowsAny<IOException>(() => channel.Receive());
            session.Send(ChannelFrameKind.End, []);
            Assert.ThrowsAny<IOException>(() => session.Receive());
        }
        Commit(replica);
    }

    [Fact]
    public void Committer_without_a_session_is_refused()
    {
        using var replica = new RunningReplica(RemotePath);
        using var channel = replica.OpenChannel();
        channel.Send(ChannelFrameKind.Begin, new ReplicaStream(Guid.NewGuid(), CommitMethod.WriteThrough, 4096, false).ToBytes());
        Assert.Throws<ChannelRefusal>(() => channel.Expect(ChannelFrameKind.Ready));
    }

    [Fact]
    public void Second_test_is_refused_until_the_first_has_ended()
    {
        using var replica = new RunningReplica(RemotePath);
        using (replica.Open())
        {
            var error = Assert.Throws<IoBenchException>(() => replica.Open());
            Assert.Equal("IoBench.ReplicaFailed", error.ErrorId);
            Assert.Contains("another test is using the replica", error.Message, StringComparison.Ordinal);
        }
        replica.WaitForLine("has ended");
        Commit(replica);
    }

    [Fact]
    public void Peers_that_send_nothing_or_one_byte_at_a_time_are_closed()
    {
        using var replica = new RunningReplica(RemotePath, s_impatient);
        using var silent = replica.Connect();
        using var slow = replica.Connect();
        var watch = Stopwatch.StartNew();
        try
        {
            while (watch.Elapsed < TimeSpan.FromSeconds(60))
            {
                slow.Send([1]);
                Thread.Sleep(50);
            }
            Assert.Fail("The replica waited for a minute.");
        }
        catch (SocketException)
        {
            // The replica closed the connection.
        }
        // The greeting, then the end.
        var buffer = new byte[1000];
        while (TryReceive(silent, buffer) > 0) { }
        replica.WaitForLine("the remote host did not identify itself");
        Commit(replica);
    }

    [Fact]
    public void Many_idle_connections_do_not_keep_a_test_out()
    {
        using var replica = new RunningReplica(RemotePath);
        var idle = Enumerable.Range(0, 2 * SecretListener.MaxPendingConnections).Select(_ => replica.Connect()).ToList();
        Commit(replica);
        idle.ForEach(socket => socket.Dispose());
    }

    [Fact]
    public void Session_of_a_test_that_died_ends_and_the_next_test_can_begin()
    {
        using var replica = new RunningReplica(RemotePath, s_impatient);
        using (var silent = replica.OpenChannel())
        {
            // A test whose computer lost power sends no more, not even the end of the connection.
            silent.Send(ChannelFrameKind.Session, Guid.NewGuid().ToByteArray());
            silent.Expect(ChannelFrameKind.Facts);
            replica.WaitForLine("because the connection was lost");
        }
        using (var patient = replica.Open(s_impatient))
        {
            // A test that is busy sends signs of life.
            Thread.Sleep(TimeSpan.FromSeconds(2));
            Assert.Throws<IoBenchException>(() => replica.Open());
        }
        Commit(replica);
    }

    [Fact]
    public void Test_fails_when_the_replica_ends_in_the_middle()
    {
        using var target = RunningReplica.OpenTarget(LocalPath);
        using (var replica = new RunningReplica(RemotePath))
        using (var client = replica.Open())
        {
            var stopper = new Thread(() =>
            {
                replica.WaitForLine("has started");
                Thread.Sleep(300);
                replica.Stop();
            });
            stopper.Start();
            var error = Assert.Throws<IoBenchException>(() => target.Run(s_case, TimeSpan.FromMinutes(10), client, CancellationToken.None));
            Assert.Contains(error.ErrorId, new[] { "IoBench.ReplicaLost", "IoBench.ReplicaUnreachable" });
            stopper.Join();
        }
        Assert.Null(target.Close());
    }

    [Fact]
    public void Test_fails_in_time_when_the_replica_does_not_respond()
    {
        using var release = new ManualResetEventSlim();
        using (var replica = new RunningReplica(RemotePath, new ChannelSettings { OnWrite = () => release.Wait() }))
        using (var client = replica.Open(s_impatient))
        using (var target = RunningReplica.OpenTarget(LocalPath))
        {
            var error = Assert.Throws<IoBenchException>(() => target.Run(s_case, TimeSpan.FromMinutes(10), client, CancellationToken.None));
            Assert.Equal("IoBench.ReplicaLost", error.ErrorId);
            Assert.Contains("no response within 1 s", error.Message, StringComparison.Ordinal);
            release.Set();
            Assert.Null(target.Close());
        }
    }

    [Fact]
    public void Canceled_test_ends_and_the_replica_goes_on()
    {
        using var replica = new RunningReplica(RemotePath);
        using (var client = replica.Open())
        using (var target = RunningReplica.OpenTarget(LocalPath))
        {
            using var cancel = new CancellationTokenSource(300);
            Assert.ThrowsAny<OperationCanceledException>(() =>
                target.Run(s_case with { Committers = 8 }, TimeSpan.FromMinutes(10), client, cancel.Token)
            );
            Assert.Null(target.Close());
        }
        replica.WaitForLine("has ended: ");
        Commit(replica);
    }

    [Fact]
    public void Replica_that_does_not_exist_is_unreachable()
    {
        ReplicaEndpoint endpoint;
        using (var replica = new RunningReplica(RemotePath))
            endpoint = replica.Endpoint;
        var error = Assert.Throws<IoBenchException>(() => ReplicaClient.Open(endpoint, RunningReplica.Secret, CancellationToken.None));
        Assert.Equal("IoBench.ReplicaUnreachable", error.ErrorId);
    }

    private void Commit(RunningReplica replica)
    {
        using var target = RunningReplica.OpenTarget(LocalPath);
        using var client = OpenWhenFree(replica);
        Assert.True(target.Run(s_case, s_short, client, CancellationToken.None).Latencies.Count >= 0);
        Assert.Null(target.Close());
    }

    // The replica notices the end of the last test a moment later.
    private static ReplicaClient OpenWhenFree(RunningReplica replica)
    {
        for (var attempt = 0; ; attempt++)
            try
            {
                return replica.Open();
            }
            catch (IoBenchException e) when (attempt < 100 && e.ErrorId == "IoBench.ReplicaFailed")
            {
                Thread.Sleep(100);
            }
    }

    private string Hash()
    {
        using var file = new FileStream(RemotePath, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        return Convert.ToHexString(SHA256.HashData(file));
    }

    private static int TryReceive(Socket socket, byte[] buffer)
    {
        try
        {
            return socket.Receive(buffer);
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.ConnectionReset)
        {
            return 0;
        }
    }
}
