using System.Net;
using System.Net.Sockets;
using System.Text;

namespace IoBench.Engine;

/// <summary>Records the acknowledged writes of one run that connects over the network and knows the secret.</summary>
public sealed class WitnessServer
{
    internal const string Service = "witness3";

    private readonly string _path;
    private readonly Action<string> _say;
    private readonly FileStream _file;
    private readonly FileStatus _status;
    private readonly long _maxBytes;
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
    /// <param name="say">Receives the secret and what happens, line by line, from several threads.</param>
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
                $"{place.Host} is not an IP address. Specify an IP address of this host, such as 192.0.2.7, so that IoBench listens only on that address."
            );
        var secret = WitnessAddress.CreateSecret();
        using var file = new WitnessAddress(path, null, 0).CreateFile();
        var server = new WitnessServer(path, file, say, maxBytes);
        try
        {
            SecretChannel run;
            using (var listener = new SecretListener(address, place.Port, place.ToString()))
            {
                say($"Listening on {place}. Start the run with: --witness {place}#{secret}");
                run = server.AcceptRun(listener, SharedSecret.Create(secret, null), token);
            }
            using (run)
                server.ReceiveRecords(run, token);
        }
        catch (OperationCanceledException)
        {
            say(server._records > 0 ? $"Canceled. {server.Describe()}" : "Canceled before a run sent any records.");
            throw;
        }
        finally
        {
            server.RemoveEmptyFile();
        }
        server.CheckName();
        return server.Describe();
    }

    private string Describe()
    {
        var writes = $"{NumberFormat.PluralizeGrouped(_writes, "acknowledged write")} {(_writes == 1 ? "is" : "are")}";
        return $"{writes} recorded in {_path}. The run {(_isEnded ? "ended" : "did not end")} normally.";
    }

    /// <summary>Waits for a run that sends its header. Other connections are closed and ignored.</summary>
    private SecretChannel AcceptRun(SecretListener listener, SharedSecret secret, CancellationToken token)
    {
        SecretChannel? run = null;
        listener.AcceptAll(Service, secret, new ChannelSettings(), Serve, (_, _) => { }, IsOver);
        return Volatile.Read(ref run) ?? throw new OperationCanceledException(token);

        bool IsOver() => token.IsCancellationRequested || Volatile.Read(ref run) is not null;

        void Serve(SecretChannel channel, string from)
        {
            _say($"The run on {from} is connected.");
            bool hasHeader;
            using (token.Register(channel.Dispose))
                hasHeader = TryReceiveHeader(channel);
            if (hasHeader && Interlocked.CompareExchange(ref run, channel, null) is null && !token.IsCancellationRequested)
                return;
            channel.Dispose();
            if (!hasHeader && !IsOver())
                _say("The run ended before it began to write. The witness is still listening.");
        }
    }

    private static bool TryReceiveHeader(SecretChannel run)
    {
        run.Reserve(WitnessHeader.MaxBytes);
        try
        {
            return run.Receive(WitnessHeader.MaxBytes) == ChannelFrameKind.Begin
                && WitnessHeader.Parse(Encoding.UTF8.GetString(run.Payload)) is { IsFromListener: true };
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            return false;
        }
    }

    private void ReceiveRecords(SecretChannel run, CancellationToken token)
    {
        // The header is still the last received frame.
        _header = WitnessHeader.Parse(Encoding.UTF8.GetString(run.Payload))!;
        Write(run, run.Payload);
        // A run can wait for a disk for any time.
        run.WaitWithoutLimit();
        using var cancel = token.Register(run.Dispose);
        try
        {
            while (!_isEnded && run.Receive(WitnessHeader.MaxBytes) == ChannelFrameKind.Write)
                Record(run);
        }
        catch (EndOfStreamException)
        {
            // The run ended without its last record.
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            if (!token.IsCancellationRequested)
                _say($"The connection was lost: {FileErrors.GetMessage(e)}.");
        }
        EndLog(run);
        if (!_isEnded)
            token.ThrowIfCancellationRequested();
    }

    /// <summary>Writes the records of a frame to the file, after each of them was validated.</summary>
    private void Record(SecretChannel run)
    {
        var length = 0;
        var records = 0;
        var writes = 0;
        string? error = null;
        for (; length < run.Payload.Length && !_isEnded; length += WitnessRecord.Size)
        {
            var record = WitnessRecord.Parse(run.Payload[length..]);
            error = record switch
            {
                null => "its checksum is wrong",
                { Kind: WitnessRecordKind.Disconnected } => "a run does not send records of this kind",
                { } valid => valid.FindError(_header!),
            };
            if (error is not null)
                break;
            _isEnded = record!.Value.Kind == WitnessRecordKind.End;
            records += _isEnded ? 0 : 1;
            writes += record.Value.Kind == WitnessRecordKind.Write ? 1 : 0;
        }
        Write(run, run.Payload[..length]);
        _records += records;
        _writes += writes;
        if (error is not null)
            throw Fail(run, $"record {_records + 1} is damaged: {error}", null);
    }

    private void Write(SecretChannel run, ReadOnlySpan<byte> bytes)
    {
        var before = _file.Length;
        // Space for the last record of the log stays free.
        if (before + bytes.Length > _maxBytes - WitnessRecord.Size)
            throw Fail(run, $"the log has reached its maximum size of {IoSize.Format(_maxBytes)}", null);
        try
        {
            _file.Write(bytes);
            _file.Flush();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The log ends with a whole record.
            _file.SetLength(before);
            throw Fail(run, $"{_path} cannot be written: {FileErrors.GetMessage(e)}", e);
        }
    }

    private void EndLog(SecretChannel run)
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
            throw Fail(run, $"{_path} cannot be written: {FileErrors.GetMessage(e)}", e);
        }
        if (_isEnded && !TrySend(run, ChannelFrameKind.Acknowledgment, BitConverter.GetBytes(_records)))
            _say("The connection was lost before the run received the acknowledgment of its records.");
    }

    /// <summary>Sends the reason to the run, which fails with it, and returns the error of the listener.</summary>
    private IoBenchException Fail(SecretChannel run, string reason, Exception? error)
    {
        // If the reason cannot be sent, the run notices the closed connection.
        _ = TrySend(run, ChannelFrameKind.Failure, Encoding.UTF8.GetBytes(reason.Length > 300 ? reason[..300] : reason));
        return IoBenchException.Failure(
            "IoBench.WitnessLost",
            $"The witness did not record all writes: {reason}. Before that, it recorded {NumberFormat.PluralizeGrouped(_writes, "acknowledged write")}.",
            _path,
            error,
            advice: "Correct the cause, and repeat the test with a new write witness."
        );
    }

    private static bool TrySend(SecretChannel run, ChannelFrameKind kind, byte[] payload)
    {
        try
        {
            run.Send(kind, payload);
            return true;
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            return false;
        }
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
                $"Another program removed or renamed {_path} while the witness was writing to it.",
                _path,
                advice: "Find the file under its new name, or repeat the test with a new write witness."
            );
    }
}
