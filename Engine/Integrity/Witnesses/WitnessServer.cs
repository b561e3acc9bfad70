using System.Net;
using System.Net.Sockets;
using System.Text;

namespace IoBench.Engine;

/// <summary>Records the acknowledged writes of one run that connects over the network and knows the secret.</summary>
public sealed class WitnessServer
{
    /// <summary>Connections that have not proved the secret yet. For one more, the oldest is closed, so that a run can always
    /// connect.</summary>
    internal const int MaxPendingConnections = 64;

    private const int BufferBytes = WitnessHeader.MaxBytes + WitnessRecord.Size;

    private static readonly TimeSpan s_authentication = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_header = TimeSpan.FromSeconds(30);

    private readonly string _path;
    private readonly Action<string> _say;
    private readonly FileStream _file;
    private readonly FileStatus _status;
    private readonly long _maxBytes;
    private readonly byte[] _buffer = new byte[BufferBytes];
    private int _buffered;
    private WitnessHeader? _header;
    private long _records;
    private long _writes;
    private bool _isEnded;

    private WitnessServer(string path, FileStream file, Action<string> say, long maxBytes)
    {
        _path = path;
        _file = file;
        _say = say;
        _maxBytes = maxBytes;
        _status = PlatformFiles.Current.GetStatus(file.SafeFileHandle, path);
    }

    /// <summary>
    /// Listens until one run with the secret has ended or its connection is lost. Other connections are closed and ignored.
    /// </summary>
    /// <param name="say">Receives the secret and what happens, line by line.</param>
    /// <returns>A sentence about what was recorded.</returns>
    /// <exception cref="IoBenchException">The port cannot be opened, or the file cannot be created or written; or a record is
    /// damaged.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled. What was recorded stays in the file.</exception>
    public static string Run(WitnessAddress place, string path, Action<string> say, CancellationToken token) =>
        Run(place, path, say, WitnessLog.MaxBytes, token);

    internal static string Run(WitnessAddress place, string path, Action<string> say, long maxBytes, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(place);
        ArgumentNullException.ThrowIfNull(say);
        if (!IPAddress.TryParse(place.Host, out var address))
            throw IoBenchException.Usage(
                "IoBench.InvalidWitness",
                $"{place.Host} is not an address. Specify an address of this host, such as 192.0.2.7, so that IoBench listens only there."
            );
        var secret = WitnessSecret.Create();
        using var file = new WitnessAddress(path, null, 0).CreateFile();
        var server = new WitnessServer(path, file, say, maxBytes);
        try
        {
            using var listener = StartListener(place, address);
            say($"Listening on {place}. Start the run with: --witness {place}#{secret}");
            server.ReceiveRunAsync(listener, secret, token).GetAwaiter().GetResult();
        }
        catch (OperationCanceledException)
        {
            say(server._records > 0 ? $"Canceled. {server.Describe()}" : "Canceled. No run connected.");
            throw;
        }
        finally
        {
            server.RemoveEmptyFile();
        }
        server.CheckName();
        return server.Describe();
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

    private static TcpListener StartListener(WitnessAddress place, IPAddress address)
    {
        var listener = new TcpListener(address, place.Port);
        try
        {
            listener.Start(MaxPendingConnections);
            return listener;
        }
        catch (SocketException e)
        {
            listener.Dispose();
            throw IoBenchException.Failure(
                "IoBench.CannotListen",
                $"{place}: {FileErrors.GetMessage(e)}.",
                null,
                e,
                advice: "Specify an address of this host and a free port."
            );
        }
    }

    private string Describe()
    {
        var writes = $"{NumberFormat.PluralizeGrouped(_writes, "acknowledged write")} {(_writes == 1 ? "is" : "are")}";
        return $"{writes} in {_path}. The run {(_isEnded ? "ended" : "did not end")} normally.";
    }

    private async Task ReceiveRunAsync(TcpListener listener, string secret, CancellationToken token)
    {
        while (true)
        {
            using var run = await AcceptRunAsync(listener, secret, token).ConfigureAwait(false);
            if (!await TryReceiveHeaderAsync(run, token).ConfigureAwait(false))
            {
                _say("The run ended before it began to write. The witness still listens.");
                continue;
            }
            listener.Stop();
            await ReceiveRecordsAsync(run, token).ConfigureAwait(false);
            return;
        }
    }

    private async Task<WitnessConnection> AcceptRunAsync(TcpListener listener, string secret, CancellationToken token)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(token);
        var pending = new List<(TcpClient Client, EndPoint? From, Task<WitnessConnection?> Identified)>();
        var next = listener.AcceptTcpClientAsync(ended.Token).AsTask();
        try
        {
            while (true)
            {
                await Task.WhenAny([next, .. pending.Select(p => p.Identified)]).ConfigureAwait(false);
                token.ThrowIfCancellationRequested();
                if (
                    pending.Find(p => p.Identified.IsCompleted && p.Identified.Result is not null) is
                    { Client: { } client, From: var from } found
                )
                {
                    pending.Remove(found);
                    EnableKeepAlive(client.Client.SetSocketOption);
                    _say($"The run at {from} is connected.");
                    return found.Identified.Result!;
                }
                pending.RemoveAll(p => p.Identified.IsCompleted);
                if (!next.IsCompleted)
                    continue;
                if (next.IsCompletedSuccessfully)
                {
                    if (pending.Count == MaxPendingConnections)
                    {
                        pending[0].Client.Dispose();
                        pending.RemoveAt(0);
                    }
                    var accepted = next.Result;
                    pending.Add((accepted, accepted.Client.RemoteEndPoint, IdentifyAsync(accepted, secret, ended.Token)));
                }
                else
                    // The client was gone before it was accepted, or the process has too many open files.
                    await Task.Delay(100, token).ConfigureAwait(false);
                next = listener.AcceptTcpClientAsync(ended.Token).AsTask();
            }
        }
        finally
        {
            await ended.CancelAsync().ConfigureAwait(false);
            pending.ForEach(p => p.Client.Dispose());
        }
    }

    private static async Task<WitnessConnection?> IdentifyAsync(TcpClient client, string secret, CancellationToken token)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(token);
        patience.CancelAfter(s_authentication);
        return await WitnessConnection.AcceptAsync(client, secret, patience.Token).ConfigureAwait(false);
    }

    private async Task<bool> TryReceiveHeaderAsync(WitnessConnection run, CancellationToken token)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(token);
        patience.CancelAfter(s_header);
        _buffered = 0;
        try
        {
            while (_buffered < WitnessHeader.MaxBytes)
            {
                var read = await run.Stream.ReadAsync(_buffer.AsMemory(_buffered), patience.Token).ConfigureAwait(false);
                if (read == 0)
                    return false;
                _buffered += read;
                var length = WitnessHeader.FindLength(_buffer.AsSpan(0, _buffered));
                if (length == 0)
                    continue;
                if (WitnessHeader.Parse(Encoding.UTF8.GetString(_buffer, 0, length)) is not { IsFromListener: true } header)
                    return false;
                _header = header;
                await WriteAsync(run, length, token).ConfigureAwait(false);
                return true;
            }
            return false;
        }
        catch (IOException)
        {
            return false;
        }
        catch (OperationCanceledException) when (!token.IsCancellationRequested)
        {
            return false;
        }
    }

    private async Task ReceiveRecordsAsync(WitnessConnection run, CancellationToken token)
    {
        try
        {
            while (true)
            {
                await RecordAsync(run, token).ConfigureAwait(false);
                if (_isEnded)
                    break;
                var read = await run.Stream.ReadAsync(_buffer.AsMemory(_buffered), token).ConfigureAwait(false);
                if (read == 0)
                    break;
                _buffered += read;
            }
        }
        catch (Exception e) when (e is IOException or SocketException)
        {
            _say($"The connection was lost: {FileErrors.GetMessage(e)}.");
        }
        catch (OperationCanceledException)
        {
            await EndLogAsync(run).ConfigureAwait(false);
            throw;
        }
        await EndLogAsync(run).ConfigureAwait(false);
    }

    /// <summary>Writes the complete records of the buffer to the file, after each of them was validated.</summary>
    private async Task RecordAsync(WitnessConnection run, CancellationToken token)
    {
        var length = 0;
        var records = 0;
        var writes = 0;
        var isEnded = false;
        string? error = null;
        for (; _buffered - length >= WitnessRecord.Size && !isEnded; length += WitnessRecord.Size)
        {
            var record = WitnessRecord.Parse(_buffer.AsSpan(length, WitnessRecord.Size));
            error = record switch
            {
                null => "its checksum is wrong",
                { Kind: WitnessRecordKind.Disconnected } => "a run does not send records of this kind",
                { } valid => valid.FindError(_header!),
            };
            if (error is not null)
                break;
            isEnded = record!.Value.Kind == WitnessRecordKind.End;
            records += isEnded ? 0 : 1;
            writes += record.Value.Kind == WitnessRecordKind.Write ? 1 : 0;
        }
        await WriteAsync(run, length, token).ConfigureAwait(false);
        _records += records;
        _writes += writes;
        _isEnded = isEnded;
        if (error is not null)
            throw await FailAsync(run, $"record {_records + 1} is damaged: {error}", null).ConfigureAwait(false);
    }

    private async Task WriteAsync(WitnessConnection run, int length, CancellationToken token)
    {
        if (length == 0)
            return;
        var before = _file.Length;
        // Space for the last record of the log stays free.
        if (before + length > _maxBytes - WitnessRecord.Size)
            throw await FailAsync(run, $"the log has its maximum size of {new IoSize(_maxBytes).ToDisplayString()}", null)
                .ConfigureAwait(false);
        try
        {
            token.ThrowIfCancellationRequested();
            _file.Write(_buffer, 0, length);
            _file.Flush();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The log ends with a whole record.
            _file.SetLength(before);
            throw await FailAsync(run, $"{_path} cannot be written: {FileErrors.GetMessage(e)}", e).ConfigureAwait(false);
        }
        _buffer.AsSpan(length, _buffered - length).CopyTo(_buffer);
        _buffered -= length;
    }

    private async Task EndLogAsync(WitnessConnection run)
    {
        try
        {
            if (!_isEnded)
            {
                var record = new byte[WitnessRecord.Size];
                new WitnessRecord(WitnessRecordKind.Disconnected, 0, 0, 0, 0, 0).WriteTo(record);
                _file.Write(record);
            }
            _file.Flush(flushToDisk: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw await FailAsync(run, $"{_path} cannot be written: {FileErrors.GetMessage(e)}", e).ConfigureAwait(false);
        }
        if (!_isEnded)
            return;
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(1));
        try
        {
            await run.SendLineAsync(FormattableString.Invariant($"recorded {_records}"), patience.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException)
        {
            _say("The connection was lost before the run received the acknowledgment of its records.");
        }
    }

    /// <summary>Sends the reason to the run, which fails with it, and returns the error of the listener.</summary>
    private async Task<IoBenchException> FailAsync(WitnessConnection run, string reason, Exception? error)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(1));
        try
        {
            await run.SendLineAsync(reason.Length > 300 ? reason[..300] : reason, patience.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException)
        {
            // The run notices the closed connection.
        }
        return IoBenchException.Failure(
            "IoBench.WitnessLost",
            $"The witness did not record all writes: {reason}. {NumberFormat.PluralizeGrouped(_writes, "acknowledged write")} before that {(_writes == 1 ? "was" : "were")} recorded.",
            _path,
            error,
            advice: "Correct the cause, and repeat the test with a new write witness."
        );
    }

    /// <summary>Removes the file if nothing was recorded, unless another file has its name now.</summary>
    private void RemoveEmptyFile()
    {
        try
        {
            if (_file.Length > 0)
                return;
            if (OperatingSystem.IsWindows())
                _file.Dispose();
            PlatformFiles.Current.DeleteIfSame(_path, _status);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or IoBenchException)
        {
            _say($"The empty file {_path} was not removed: {FileErrors.GetMessage(e)}.");
        }
    }

    private void CheckName()
    {
        if (PlatformFiles.Current.TryGetStatus(_path) is not { } now || !now.IsSame(_status))
            throw IoBenchException.Failure(
                "IoBench.WitnessLost",
                $"Another program removed or renamed {_path} while the witness wrote to it.",
                _path,
                advice: "Find the file under its new name, or repeat the test with a new write witness."
            );
    }
}
