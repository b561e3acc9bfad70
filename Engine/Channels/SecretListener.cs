using System.Net;
using System.Net.Sockets;

namespace IoBench.Engine;

/// <summary>Port to which clients with the secret connect. Each connection is identified on its own thread.</summary>
internal sealed class SecretListener : IDisposable
{
    /// <summary>Connections that have not proved the secret yet. For one more, the oldest is closed, so that a client with the secret can
    /// always connect.</summary>
    public const int MaxPendingConnections = 64;

    private const int Backlog = 512;
    private const int StackBytes = 256 << 10;
    private static readonly TimeSpan s_endTimeout = TimeSpan.FromSeconds(2);

    private readonly Socket _listener;
    private readonly object _gate = new();
    private readonly List<Socket> _pending = [];
    private readonly List<Thread> _threads = [];

    /// <param name="name">Address and port in messages.</param>
    /// <exception cref="IoBenchException"><c>IoBench.CannotListen</c>.</exception>
    public SecretListener(IPAddress address, int port, string name)
    {
        _listener = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            _listener.Bind(new IPEndPoint(address, port));
            _listener.Listen(Backlog);
        }
        catch (SocketException e)
        {
            _listener.Dispose();
            throw IoBenchException.Failure(
                "IoBench.CannotListen",
                $"{name}: {FileErrors.GetMessage(e)}.",
                null,
                e,
                advice: "Specify an address of this host and a free port."
            );
        }
    }

    public int Port => ((IPEndPoint)_listener.LocalEndPoint!).Port;

    /// <summary>Accepts connections until it is over.</summary>
    /// <param name="serve">Receives each identified channel and its address, on the thread of the connection. It owns the channel.</param>
    /// <param name="refuse">Receives the address of each other connection, and the reason.</param>
    public void AcceptAll(
        string service,
        SharedSecret secret,
        ChannelSettings settings,
        Action<SecretChannel, string> serve,
        Action<string, string> refuse,
        Func<bool> isOver
    )
    {
        while (!isOver())
        {
            // Polling, because not every system ends a waiting call when the socket is closed.
            if (!_listener.Poll(TimeSpan.FromMilliseconds(100), SelectMode.SelectRead))
                continue;
            Socket client;
            try
            {
                client = _listener.Accept();
            }
            catch (SocketException)
            {
                // The client was gone before it was accepted, or the process has too many open files.
                Thread.Sleep(100);
                continue;
            }
            var thread = new Thread(() => Identify(client), StackBytes) { IsBackground = true, Name = "IoBench connection" };
            lock (_gate)
            {
                if (_pending.Count == MaxPendingConnections)
                {
                    _pending[0].Dispose();
                    _pending.RemoveAt(0);
                }
                _pending.Add(client);
                _threads.RemoveAll(ended => !ended.IsAlive);
                _threads.Add(thread);
                thread.Start();
            }
        }

        void Identify(Socket socket)
        {
            var from = "";
            SecretChannel? channel = null;
            var reason = "the secret is wrong";
            try
            {
                from = $"{socket.RemoteEndPoint}";
                channel = SecretChannel.IdentifyClient(socket, service, secret, settings);
            }
            catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
            {
                // A port scanner, a health check, or another service.
                reason = "the remote host did not identify itself";
            }
            lock (_gate)
                _pending.Remove(socket);
            if (channel is not null)
            {
                serve(channel, from);
                return;
            }
            socket.Dispose();
            refuse(from, reason);
        }
    }

    /// <summary>Closes the port and the connections that are not identified, and waits for the threads of the others for a
    /// moment.</summary>
    public void Dispose()
    {
        _listener.Dispose();
        List<Thread> threads;
        lock (_gate)
        {
            _pending.ForEach(socket => socket.Dispose());
            threads = [.. _threads];
        }
        var end = Clock.Now + Clock.ToNanoseconds(s_endTimeout);
        foreach (var thread in threads)
            thread.Join(TimeSpan.FromTicks(Math.Max(0, (end - Clock.Now) / 100)));
    }
}
