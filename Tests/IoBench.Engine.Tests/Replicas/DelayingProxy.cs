using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace IoBench.Engine.Tests;

/// <summary>A network with a latency: forwards bytes to a port of this computer after a delay.</summary>
internal sealed class DelayingProxy : IDisposable
{
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly ConcurrentBag<Socket> _sockets = [];
    private readonly TimeSpan _delay;
    private readonly int _port;

    /// <param name="delay">Delay of what the client sends.</param>
    public DelayingProxy(int port, TimeSpan delay)
    {
        _port = port;
        _delay = delay;
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        new Thread(AcceptAll) { IsBackground = true }.Start();
    }

    public ReplicaEndpoint Endpoint => new("127.0.0.1", ((IPEndPoint)_listener.LocalEndPoint!).Port);

    /// <summary>Cuts all connections.</summary>
    public void Cut()
    {
        foreach (var socket in _sockets)
            socket.Dispose();
    }

    public void Dispose()
    {
        _listener.Dispose();
        Cut();
    }

    private void AcceptAll()
    {
        try
        {
            while (true)
            {
                var client = _listener.Accept();
                var server = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
                server.Connect(new IPEndPoint(IPAddress.Loopback, _port));
                client.NoDelay = true;
                _sockets.Add(client);
                _sockets.Add(server);
                Forward(client, server, _delay);
                Forward(server, client, TimeSpan.Zero);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The end of the proxy.
        }
    }

    private static void Forward(Socket from, Socket to, TimeSpan delay) =>
        new Thread(() =>
        {
            var buffer = new byte[1 << 16];
            try
            {
                // The connections of a test send one frame at a time, so a delay of each part is a delay of the network.
                for (int count; (count = from.Receive(buffer)) > 0; )
                {
                    Thread.Sleep(delay);
                    to.Send(buffer.AsSpan(0, count));
                }
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                // The connection was closed.
            }
            from.Dispose();
            to.Dispose();
        })
        {
            IsBackground = true,
        }.Start();
}
