using System.Net;
using System.Net.Sockets;
using System.Text;

namespace IoBench.Engine.Integrity.Witnesses;

/// <summary>Listens for one checked run and keeps what it reports, as it comes.</summary>
public static class WitnessServer
{
    /// <summary>Listens until a run was heard to its end, or its connection breaks, or the token ends it.</summary>
    /// <param name="place">The address and the port; only there.</param>
    /// <param name="path">The file to make.</param>
    /// <param name="say">Called with what happens, one line each.</param>
    /// <param name="token">Ends it; what was heard is kept.</param>
    /// <returns>What was heard, in a sentence.</returns>
    /// <exception cref="IoBenchException">It cannot listen there, or the file cannot be made.</exception>
    public static string Run(WitnessPlace place, string path, Action<string> say, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(place);
        ArgumentNullException.ThrowIfNull(say);
        if (!IPAddress.TryParse(place.Host, out var address))
            throw IoBenchException.Usage(
                "IoBench.InvalidWitness",
                $"{place.Host} is not an address: name one of this host, such as 192.0.2.7, so that nothing listens where you do not want it."
            );
        using var file = new WitnessPlace(path, null, 0).Open();
        using var listener = new TcpListener(address, place.Port);
        try
        {
            listener.Start(1);
        }
        catch (SocketException e)
        {
            file.Dispose();
            File.Delete(path);
            throw IoBenchException.Failure(
                "IoBench.CannotListen",
                $"{place}: {FileErrors.Message(e)}.",
                null,
                e,
                advice: "Name an address of this host and a port that is free."
            );
        }
        say($"listening on {place}; the run is to be given --witness {place}");
        var length = 0L;
        try
        {
            while (length == 0)
                length = Hear(listener, file, say, token);
        }
        catch (OperationCanceledException)
        {
            length = file.Length;
        }
        if (length == 0)
        {
            file.Dispose();
            File.Delete(path);
            return "no run was heard.";
        }
        file.Dispose();
        var log = WitnessLog.Read(path);
        return $"{Figures.CountedGrouped(log.Writes, "acknowledged write")} {(log.Writes == 1 ? "is" : "are")} in {path}; {(log.IsEnded ? "the run ended by itself." : "the run did not end by itself.")}";
    }

    /// <summary>
    /// A host without power says nothing: the connection is found dead after a while, and until then what was heard is on disk. Windows counts the questions only since
    /// version 1703 (Windows Server 2016 is older) and asks ten times before.
    /// </summary>
    /// <param name="set">Sets an option of the connection.</param>
    internal static void KeepAsking(Action<SocketOptionLevel, SocketOptionName, int> set)
    {
        set(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, 1);
        set(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, 10);
        set(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, 5);
        try
        {
            set(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, 3);
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.ProtocolOption)
        {
            // The system's own count: dead after a minute in place of 25 s.
        }
    }

    private static long Hear(TcpListener listener, Stream file, Action<string> say, CancellationToken token)
    {
        using var client = listener.AcceptTcpClientAsync(token).AsTask().GetAwaiter().GetResult();
        KeepAsking(client.Client.SetSocketOption);
        var from = client.Client.RemoteEndPoint;
        var stream = client.GetStream();
        var buffer = new byte[1 << 16];
        var first = Encoding.ASCII.GetBytes(WitnessHead.FirstLine + "\n");
        var total = 0L;
        try
        {
            // Only who begins as a run of IoBench does is written down.
            var got = stream
                .ReadAtLeastAsync(buffer.AsMemory(0, buffer.Length), first.Length, throwOnEndOfStream: false, token)
                .AsTask()
                .GetAwaiter()
                .GetResult();
            if (!buffer.AsSpan(0, Math.Min(got, first.Length)).SequenceEqual(first))
            {
                say($"{from} is not a run of IoBench: it is ignored.");
                return 0;
            }
            say($"{from} is heard");
            for (; got > 0; got = stream.ReadAsync(buffer, token).AsTask().GetAwaiter().GetResult())
            {
                file.Write(buffer, 0, got);
                file.Flush();
                total += got;
            }
        }
        catch (IOException e)
        {
            say($"the connection broke: {e.Message}");
        }
        (file as FileStream)?.Flush(flushToDisk: true);
        return total;
    }
}
