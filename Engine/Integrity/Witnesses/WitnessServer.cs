using System.Net;
using System.Net.Sockets;
using System.Text;

namespace IoBench.Engine;

public static class WitnessServer
{
    /// <summary>
    /// Listens until one run has ended, its connection breaks, or the token is canceled. Received records stay in the file.
    /// </summary>
    /// <exception cref="IoBenchException">The port cannot be opened, or the file cannot be created.</exception>
    public static string Run(WitnessAddress place, string path, Action<string> say, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(place);
        ArgumentNullException.ThrowIfNull(say);
        if (!IPAddress.TryParse(place.Host, out var address))
            throw IoBenchException.Usage(
                "IoBench.InvalidWitness",
                $"{place.Host} is not an address: name one of this host, such as 192.0.2.7, so that nothing listens where you do not want it."
            );
        using var file = new WitnessAddress(path, null, 0).Open();
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
                $"{place}: {FileErrors.GetMessage(e)}.",
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
                length = ReceiveRun(listener, file, say, token);
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
        return $"{NumberFormat.PluralizeGrouped(log.WriteCount, "acknowledged write")} {(log.WriteCount == 1 ? "is" : "are")} in {path}; {(log.IsEnded ? "the run ended by itself." : "the run did not end by itself.")}";
    }

    /// <summary>
    /// Detects the dead connection of a host without power, which sends nothing. Windows supports the retry count since version 1703; older
    /// versions always send ten probes.
    /// </summary>
    internal static void EnableKeepAlive(Action<SocketOptionLevel, SocketOptionName, int> set)
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
            // The system's own retry count applies: a dead connection is detected after a minute instead of 25 s.
        }
    }

    private static long ReceiveRun(TcpListener listener, Stream file, Action<string> say, CancellationToken token)
    {
        using var client = listener.AcceptTcpClientAsync(token).AsTask().GetAwaiter().GetResult();
        EnableKeepAlive(client.Client.SetSocketOption);
        var from = client.Client.RemoteEndPoint;
        var stream = client.GetStream();
        var buffer = new byte[1 << 16];
        var first = Encoding.ASCII.GetBytes(WitnessHeader.FirstLine + "\n");
        var total = 0L;
        try
        {
            // Accept only data that begins with the header of an IoBench run.
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
