using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace IoBench.Engine;

/// <summary>
/// Connection of one run to its witness, for both sides. The listener sends a greeting with a nonce, the run answers with its own nonce and
/// a signature, and the listener signs too. At the end, the listener acknowledges the number of records that are on its disk.
/// </summary>
internal sealed class WitnessConnection : IDisposable
{
    public const string Greeting = "IoBench witness 2 ";

    private const int MaxLineBytes = 2048;

    private static readonly TimeSpan s_connect = TimeSpan.FromSeconds(10);

    // A witness that accepts no data, or does not acknowledge all records, for this time is lost, because the run must end.
    public static readonly TimeSpan SendTimeout = TimeSpan.FromSeconds(30);

    private readonly TcpClient _client;
    private readonly string _secret;
    private string _nonces = "";

    private WitnessConnection(TcpClient client, string secret)
    {
        _client = client;
        _secret = secret;
        Stream = client.GetStream();
    }

    public NetworkStream Stream { get; }

    /// <summary>Connects to a witness.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.WitnessUnreachable</c>, <c>IoBench.WitnessRefused</c>.</exception>
    public static WitnessConnection Open(WitnessAddress address)
    {
        var client = new TcpClient
        {
            NoDelay = true,
            SendTimeout = (int)WitnessConnection.SendTimeout.TotalMilliseconds,
            ReceiveTimeout = (int)s_connect.TotalMilliseconds,
        };
        try
        {
            using var patience = new CancellationTokenSource(s_connect);
            client.ConnectAsync(address.Host!, address.Port, patience.Token).AsTask().GetAwaiter().GetResult();
            var connection = new WitnessConnection(client, address.Secret!);
            connection.IdentifyToListener(address);
            client.ReceiveTimeout = (int)SendTimeout.TotalMilliseconds;
            return connection;
        }
        catch (Exception e) when (e is IOException or SocketException or OperationCanceledException)
        {
            client.Dispose();
            var reason = e is OperationCanceledException ? "no response within 10 s" : FileErrors.GetMessage(e);
            throw IoBenchException.Failure(
                "IoBench.WitnessUnreachable",
                $"IoBench cannot reach the write witness {address}: {reason}.",
                null,
                e,
                "Start iobench witness on that host, and check that the port is open."
            );
        }
        catch
        {
            client.Dispose();
            throw;
        }
    }

    /// <summary>Identifies a client that connected to a listener. Reads at most the length of the answer of a run.</summary>
    /// <returns>The connection; null if the client is not a run with the secret.</returns>
    public static async Task<WitnessConnection?> AcceptAsync(TcpClient client, string secret, CancellationToken token)
    {
        var connection = new WitnessConnection(client, secret);
        try
        {
            var nonce = WitnessSecret.CreateNonce();
            await connection.Stream.WriteAsync(Encoding.ASCII.GetBytes($"{Greeting}{nonce}\n"), token).ConfigureAwait(false);
            var answer = new byte[32 + 1 + 64 + 1];
            await connection.Stream.ReadExactlyAsync(answer, token).ConfigureAwait(false);
            var words = Encoding.ASCII.GetString(answer).TrimEnd('\n').Split(' ');
            if (words.Length == 2 && WitnessSecret.IsSigned(secret, $"run {nonce} {words[0]}", words[1]))
            {
                connection._nonces = $"{nonce} {words[0]}";
                await connection.SendLineAsync("welcome", token).ConfigureAwait(false);
                return connection;
            }
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or OperationCanceledException)
        {
            // A port scanner, a health check, or another service. The caller ignores it.
        }
        connection.Dispose();
        return null;
    }

    /// <summary>Sends a line with a signature, for example <c>recorded 1200</c>.</summary>
    public async Task SendLineAsync(string text, CancellationToken token)
    {
        var line = $"{text} {WitnessSecret.Sign(_secret, $"{text} {_nonces}")}\n";
        await Stream.WriteAsync(Encoding.UTF8.GetBytes(line), token).ConfigureAwait(false);
    }

    /// <summary>A witness only sends during the run if it cannot record any more.</summary>
    /// <exception cref="IOException">The witness reported a failure.</exception>
    public void ThrowIfFailed()
    {
        if (Stream.DataAvailable)
            throw new IOException(ReadLine());
    }

    /// <summary>Returns the failure that the witness reported before it closed the connection; null if there is none.</summary>
    public string? FindReportedFailure()
    {
        try
        {
            return Stream.DataAvailable ? ReadLine() : null;
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            return null;
        }
    }

    /// <summary>Waits until the witness confirms that all records are on its disk.</summary>
    /// <exception cref="IOException">The witness failed, or recorded another number of records.</exception>
    public void WaitForReceipt(long records)
    {
        var line = ReadLine();
        if (line != string.Create(CultureInfo.InvariantCulture, $"recorded {records}"))
            throw new IOException(line);
    }

    public void Dispose() => _client.Dispose();

    private void IdentifyToListener(WitnessAddress address)
    {
        var greeting = ReadBytes(Greeting.Length + 32 + 1);
        if (!greeting.StartsWith(Greeting, StringComparison.Ordinal))
            throw new IOException("it is not an iobench witness of this version");
        var nonce = greeting[Greeting.Length..].TrimEnd('\n');
        var own = WitnessSecret.CreateNonce();
        _nonces = $"{nonce} {own}";
        Stream.Write(Encoding.ASCII.GetBytes($"{own} {WitnessSecret.Sign(_secret, $"run {_nonces}")}\n"));
        try
        {
            if (ReadLine() == "welcome")
                return;
        }
        catch (IOException)
        {
            // The listener closes the connection of a client with another secret.
        }
        throw IoBenchException.Failure(
            "IoBench.WitnessRefused",
            $"The witness {address} refused the connection, because the secret is wrong.",
            advice: "Use the secret that iobench witness printed at its last start."
        );
    }

    private string ReadBytes(int count)
    {
        var bytes = new byte[count];
        Stream.ReadExactly(bytes);
        return Encoding.ASCII.GetString(bytes);
    }

    /// <summary>Returns a line of the witness without its signature.</summary>
    private string ReadLine()
    {
        var bytes = new List<byte>();
        for (var next = Stream.ReadByte(); next != '\n'; next = Stream.ReadByte())
        {
            if (next < 0 || bytes.Count == MaxLineBytes)
                throw new IOException("it closed the connection");
            bytes.Add((byte)next);
        }
        var line = Encoding.UTF8.GetString([.. bytes]);
        var last = line.LastIndexOf(' ');
        if (last < 0 || !WitnessSecret.IsSigned(_secret, $"{line[..last]} {_nonces}", line[(last + 1)..]))
            throw new IOException("its response is not signed with its secret");
        return line[..last];
    }
}
