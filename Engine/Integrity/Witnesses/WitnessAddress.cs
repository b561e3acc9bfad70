using System.Globalization;
using System.Net.Sockets;

namespace IoBench.Engine;

/// <param name="Path">Path of the file; null for a host.</param>
public sealed record WitnessAddress(string? Path, string? Host, int Port)
{
    private static readonly TimeSpan s_connect = TimeSpan.FromSeconds(10);

    // A witness that accepts no data for this time is lost, because the run waits for it and must end.
    private static readonly TimeSpan s_send = TimeSpan.FromSeconds(30);

    public static WitnessAddress Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (IsEndpoint(text, out var colon, out var port))
        {
            if (port is < 1 or > 65535)
                throw IoBenchException.Usage(
                    "IoBench.InvalidWitness",
                    $"{text}: a port is a number from 1 to 65535.",
                    advice: "Give host:port, or a file."
                );
            return new WitnessAddress(null, text[..colon].Trim('[', ']'), port);
        }
        return new WitnessAddress(System.IO.Path.GetFullPath(text), null, 0);
    }

    public static bool IsEndpoint(string text) => IsEndpoint(text, out _, out _);

    private static bool IsEndpoint(string text, out int colon, out int port)
    {
        ArgumentNullException.ThrowIfNull(text);
        colon = text.LastIndexOf(':');
        port = 0;
        return colon > 0
            && text.AsSpan().IndexOfAny('/', '\\') < 0
            && int.TryParse(text.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out port);
    }

    /// <exception cref="IoBenchException"><c>IoBench.FileExists</c>, <c>IoBench.WitnessUnreachable</c>.</exception>
    internal Stream Open()
    {
        try
        {
            if (Path is not null)
                return new FileStream(Path, FileMode.CreateNew, FileAccess.Write, FileShare.Read, 1);
            return Connect();
        }
        catch (IOException e) when (Path is not null && File.Exists(Path))
        {
            throw IoBenchException.Refused(
                ErrorIds.FileExists,
                $"{Path} exists: a witness is never overwritten.",
                Path,
                advice: $"Name a new file. {e.Message}"
            );
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or SocketException or OperationCanceledException)
        {
            var reason = e is OperationCanceledException ? "no answer within 10 s" : FileErrors.GetMessage(e);
            if (Path is not null)
                throw IoBenchException.Failure(
                    "IoBench.WitnessUnreachable",
                    $"the witness {Path} cannot be made: {reason}.",
                    Path,
                    e,
                    "Name a file in a folder that you may write to."
                );
            throw IoBenchException.Failure(
                "IoBench.WitnessUnreachable",
                $"the witness {this} cannot be reached: {reason}.",
                null,
                e,
                "Start iobench witness there, and see that the port is open."
            );
        }
    }

    private NetworkStream Connect()
    {
        var client = new TcpClient { NoDelay = true, SendTimeout = (int)s_send.TotalMilliseconds };
        try
        {
            using var patience = new CancellationTokenSource(s_connect);
            client.ConnectAsync(Host!, Port, patience.Token).AsTask().GetAwaiter().GetResult();
            return client.GetStream();
        }
        catch
        {
            client.Dispose();
            throw;
        }
    }

    public override string ToString() =>
        Path
        ?? string.Create(CultureInfo.InvariantCulture, $"{(Host!.Contains(':', StringComparison.Ordinal) ? $"[{Host}]" : Host)}:{Port}");
}
