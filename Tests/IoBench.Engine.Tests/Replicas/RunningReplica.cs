using System.Net;
using System.Net.Sockets;

namespace IoBench.Engine.Tests;

/// <summary>A replica on a free port of this computer.</summary>
internal sealed class RunningReplica : IDisposable
{
    public const string SecretText = "a-secret-of-this-test";

    private readonly CancellationTokenSource _stop = new();
    private readonly CommitTarget _target;
    private readonly Thread _thread;
    private readonly List<string> _lines = [];
    private readonly ManualResetEventSlim _isListening = new();

    public RunningReplica(string path, ChannelSettings? settings = null)
    {
        Path = path;
        _target = OpenTarget(path);
        var given = settings ?? new ChannelSettings();
        _thread = new Thread(() =>
            ReplicaServer.Run(
                _target,
                new ReplicaEndpoint("127.0.0.1", 0),
                Secret,
                Say,
                given with
                {
                    OnListening = port =>
                    {
                        Endpoint = new ReplicaEndpoint("127.0.0.1", port);
                        _isListening.Set();
                    },
                },
                _stop.Token
            )
        );
        _thread.Start();
        Assert.True(_isListening.Wait(TimeSpan.FromSeconds(60)));
    }

    public static SharedSecret Secret { get; } = SharedSecret.Create(SecretText, null);

    public string Path { get; }

    public ReplicaEndpoint Endpoint { get; private set; } = ReplicaEndpoint.Loopback;

    public IReadOnlyList<string> Lines
    {
        get
        {
            lock (_lines)
                return [.. _lines];
        }
    }

    public static CommitTarget OpenTarget(string path) =>
        CommitTarget.Open(
            new IoTestSpecification
            {
                Targets = [new IoTargetSpecification(path)],
                FileSize = 4 << 20,
                WritePercent = 100,
                BlockSize = 4096,
            },
            new TestRunOptions(),
            extends: false,
            report: null,
            CancellationToken.None
        );

    public ReplicaClient Open(ChannelSettings? timeouts = null) =>
        ReplicaClient.Open(Endpoint, Secret, timeouts ?? new ChannelSettings(), CancellationToken.None);

    public Socket Connect()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 60_000 };
        socket.Connect(new IPEndPoint(IPAddress.Loopback, Endpoint.Port));
        return socket;
    }

    /// <summary>Connects with the secret.</summary>
    public SecretChannel OpenChannel() => SecretChannel.Identify(Connect(), ReplicaServer.Service, Secret, new ChannelSettings())!;

    public void WaitForLine(string part)
    {
        Assert.True(
            SpinWait.SpinUntil(() => Lines.Any(line => line.Contains(part, StringComparison.Ordinal)), TimeSpan.FromSeconds(60)),
            string.Join('\n', Lines)
        );
    }

    /// <summary>Stops the replica as Ctrl+C does.</summary>
    public void Stop()
    {
        _stop.Cancel();
        Assert.True(_thread.Join(TimeSpan.FromSeconds(60)));
    }

    public void Dispose()
    {
        Stop();
        Assert.Null(_target.Close());
        _target.Dispose();
        Assert.True(TestFiles.IsOwnTestFile(Path, out var reason), reason);
        _stop.Dispose();
        _isListening.Dispose();
    }

    private void Say(string line)
    {
        lock (_lines)
            _lines.Add(line);
    }
}
