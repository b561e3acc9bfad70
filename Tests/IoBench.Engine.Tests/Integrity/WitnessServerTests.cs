using System.Net;
using System.Net.Sockets;
using System.Text;

namespace IoBench.Engine.Tests;

public sealed class WitnessServerTests : IDisposable
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(60);

    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-witness-").FullName;
    private readonly CancellationTokenSource _stop = new();
    private readonly List<string> _said = [];
    private readonly TaskCompletionSource<WitnessAddress> _listening = new();
    private readonly TaskCompletionSource _connected = new();

    private string LogPath => Path.Combine(_folder, "w.log");

    [Fact]
    public async Task Witness_records_a_run_in_spite_of_idle_and_garbage_connections()
    {
        var server = StartServer();
        var address = await _listening.Task.WaitAsync(s_timeout);
        using var idle = new TcpClient(address.Host!, address.Port);
        using var garbage = new TcpClient(address.Host!, address.Port);
        // The first line of a log, and zeros: neither is written to the disk of the witness.
        await garbage.GetStream().WriteAsync(Encoding.ASCII.GetBytes(WitnessHeader.FirstLine + "\n").Concat(new byte[200]).ToArray());
        using (new TcpClient(address.Host!, address.Port)) { }
        using (var run = address.Connect())
        {
            Assert.Equal(0, new FileInfo(LogPath).Length);
            run.Send(ChannelFrameKind.Begin, CreateHeader());
            run.Send(
                ChannelFrameKind.Write,
                CreateRecords(new(WitnessRecordKind.Write, 0, 0, 4096, 0, 1024), new(WitnessRecordKind.End, 0, 0, 0, 0, 0))
            );
            WitnessWriter.WaitForReceipt(run, 1);
        }
        Assert.Contains("The run ended normally.", await server.WaitAsync(s_timeout), StringComparison.Ordinal);
        using var log = WitnessLog.Open(LogPath, out _)!;
        Assert.Single(log.FindDurableWrites(0, out _));
        Assert.Equal((true, null), (log.IsEnded, log.Damage));
    }

    [Fact]
    public async Task Run_connects_when_more_connections_are_idle_than_the_witness_keeps()
    {
        var server = StartServer();
        var address = await _listening.Task.WaitAsync(s_timeout);
        var idle = Enumerable
            .Range(0, SecretListener.MaxPendingConnections + 5)
            .Select(_ => new TcpClient(address.Host!, address.Port))
            .ToList();
        using (var run = address.Connect())
            run.Send(ChannelFrameKind.Begin, CreateHeader());
        Assert.Contains("The run did not end normally.", await server.WaitAsync(s_timeout), StringComparison.Ordinal);
        idle.ForEach(client => client.Dispose());
    }

    [Fact]
    public async Task Run_with_another_secret_is_refused()
    {
        var server = StartServer();
        var address = await _listening.Task.WaitAsync(s_timeout);
        var error = Assert.Throws<IoBenchException>(() => (address with { Secret = WitnessAddress.CreateSecret() }).Connect());
        Assert.Equal("IoBench.WitnessRefused", error.ErrorId);
        Assert.DoesNotContain(address.Secret!, error.Message, StringComparison.Ordinal);
        (address with { Secret = address.Secret!.ToLowerInvariant() }).Connect().Dispose();
        await _stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => server.WaitAsync(s_timeout));
    }

    [Fact]
    public async Task Witness_without_its_secret_is_not_believed()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var address = new WitnessAddress(null, "127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port)
        {
            Secret = WitnessAddress.CreateSecret(),
        };
        var other = Task.Run(() =>
        {
            using var client = listener.AcceptSocket();
            client.Send(Encoding.ASCII.GetBytes("IoBench " + WitnessServer.Service).Concat(new byte[32]).ToArray());
            using var stream = new NetworkStream(client);
            stream.ReadExactly(new byte[64]);
            stream.Write(new byte[32]);
        });
        Assert.Equal("IoBench.WitnessRefused", Assert.Throws<IoBenchException>(() => address.Connect()).ErrorId);
        await other.WaitAsync(s_timeout);
    }

    [Theory]
    [InlineData(-4096, 4096)]
    [InlineData(0, int.MaxValue)]
    [InlineData(1 << 20, 4096)]
    public async Task Witness_ends_with_an_error_for_an_impossible_record(long offset, int length)
    {
        var server = StartServer();
        using var run = (await _listening.Task.WaitAsync(s_timeout)).Connect();
        run.Send(ChannelFrameKind.Begin, CreateHeader());
        run.Send(
            ChannelFrameKind.Write,
            CreateRecords(new(WitnessRecordKind.Write, 0, 0, 4096, 0, 1024), new(WitnessRecordKind.Write, 0, 0, length, offset, 9))
        );
        var lost = Assert.ThrowsAny<IOException>(() => WitnessWriter.WaitForReceipt(run, 2));
        Assert.StartsWith("record 2 is damaged: it describes", lost.Message, StringComparison.Ordinal);
        var error = await Assert.ThrowsAsync<IoBenchException>(() => server.WaitAsync(s_timeout));
        Assert.Equal(("IoBench.WitnessLost", 1), (error.ErrorId, error.ExitCode));
        using var log = WitnessLog.Open(LogPath, out _)!;
        Assert.Single(log.FindDurableWrites(0, out _));
        Assert.Contains("its last record is missing", log.Damage, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Witness_ends_with_an_error_at_its_maximum_size()
    {
        var header = CreateHeader();
        var server = StartServer(header.Length + 3 * WitnessRecord.Size);
        using var run = (await _listening.Task.WaitAsync(s_timeout)).Connect();
        run.Send(ChannelFrameKind.Begin, header);
        for (var i = 0; i < 2; i++)
            run.Send(ChannelFrameKind.Write, CreateRecords(new WitnessRecord(WitnessRecordKind.Write, 0, 0, 4096, 4096 * i, 1024)));
        await WaitForLengthAsync(header.Length + 2 * WitnessRecord.Size);
        run.Send(ChannelFrameKind.Write, CreateRecords(new WitnessRecord(WitnessRecordKind.Write, 0, 0, 4096, 0, 2048)));
        Assert.Contains(
            "maximum size",
            Assert.ThrowsAny<IOException>(() => WitnessWriter.WaitForReceipt(run, 3)).Message,
            StringComparison.Ordinal
        );
        await Assert.ThrowsAsync<IoBenchException>(() => server.WaitAsync(s_timeout));
        Assert.Equal(header.Length + 2 * WitnessRecord.Size, new FileInfo(LogPath).Length);
    }

    [Fact]
    public async Task Run_without_an_acknowledgment_of_its_witness_is_not_recorded()
    {
        var server = StartServer();
        using var run = (await _listening.Task.WaitAsync(s_timeout)).Connect();
        run.Send(ChannelFrameKind.Begin, CreateHeader());
        await WaitForLengthAsync(1);
        await _stop.CancelAsync();
        Assert.ThrowsAny<IOException>(() => WitnessWriter.WaitForReceipt(run, 0));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => server.WaitAsync(s_timeout));
    }

    [Fact]
    public async Task Run_fails_when_its_witness_does_not_record_everything()
    {
        var server = StartServer(maxBytes: 2000);
        var address = await _listening.Task.WaitAsync(s_timeout);
        var result = TestRun.Run(CreateSpecification(), new TestRunOptions { Witness = $"{address}#{address.Secret}" });
        Assert.Equal((IoResultStatus.Failed, "IoBench.WitnessLost"), (result.Status, result.ErrorId));
        Assert.Contains("did not record all writes", result.ErrorMessage, StringComparison.Ordinal);
        Assert.DoesNotContain(address.Secret!, result.ErrorMessage, StringComparison.Ordinal);
        await Assert.ThrowsAsync<IoBenchException>(() => server.WaitAsync(s_timeout));
    }

    [Fact]
    public async Task Canceled_run_does_not_wait_for_a_witness_that_does_not_answer()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var place = new WitnessAddress(null, "127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port);
        var secret = WitnessAddress.CreateSecret();
        var run = Task.Factory.StartNew(
            () => TestRun.Run(CreateSpecification(), new TestRunOptions { Witness = $"{place}#{secret}" }, _stop.Token),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        using var client = await listener.AcceptSocketAsync().WaitAsync(s_timeout);
        using var witness = SecretChannel.IdentifyClient(
            client,
            WitnessServer.Service,
            SharedSecret.Create(secret, null),
            new ChannelSettings()
        )!;
        witness.Reserve(WitnessHeader.MaxBytes);
        Assert.Equal(ChannelFrameKind.Begin, witness.Receive(WitnessHeader.MaxBytes));
        await _stop.CancelAsync();
        // The run closes the connection, but this side never does.
        Action receive = () =>
        {
            while (true)
                witness.Receive(WitnessHeader.MaxBytes);
        };
        Assert.ThrowsAny<IOException>(receive);
        Assert.NotEqual(IoResultStatus.Complete, (await run.WaitAsync(s_timeout)).Status);
    }

    [LinuxFact]
    public async Task Canceled_witness_keeps_a_file_that_took_its_name()
    {
        var server = StartServer();
        await _listening.Task.WaitAsync(s_timeout);
        File.Move(LogPath, LogPath + ".old");
        await File.WriteAllTextAsync(LogPath, "mine");
        await _stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => server.WaitAsync(s_timeout));
        Assert.Equal("mine", await File.ReadAllTextAsync(LogPath));
    }

    [Fact]
    public async Task Canceled_witness_removes_its_empty_file()
    {
        var server = StartServer();
        await _listening.Task.WaitAsync(s_timeout);
        Assert.True(File.Exists(LogPath));
        await _stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => server.WaitAsync(s_timeout));
        Assert.False(File.Exists(LogPath));
        Assert.Equal("Canceled before a run sent any records.", _said[^1]);
    }

    [Fact]
    public async Task Canceled_witness_closes_the_connection_of_a_run_that_has_not_begun()
    {
        var server = StartServer();
        using var run = (await _listening.Task.WaitAsync(s_timeout)).Connect();
        await _connected.Task.WaitAsync(s_timeout);
        await _stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => server.WaitAsync(s_timeout));
        Action begin = () =>
        {
            run.Send(ChannelFrameKind.Begin, CreateHeader());
            WitnessWriter.WaitForReceipt(run, 0);
        };
        Assert.ThrowsAny<IOException>(begin);
    }

    public void Dispose()
    {
        _stop.Cancel();
        Directory.Delete(_folder, recursive: true);
        _stop.Dispose();
    }

    private Task<string> StartServer(long maxBytes = WitnessLog.MaxBytes)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var place = new WitnessAddress(null, "127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port);
        listener.Stop();
        return Task.Factory.StartNew(
            () =>
            {
                try
                {
                    return WitnessServer.Run(place, LogPath, Hear, maxBytes, _stop.Token);
                }
                catch (Exception e)
                {
                    _listening.TrySetException(e);
                    throw;
                }
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
    }

    private void Hear(string text)
    {
        lock (_said)
            _said.Add(text);
        if (text.EndsWith("is connected.", StringComparison.Ordinal))
            _connected.TrySetResult();
        if (text.Contains("--witness ", StringComparison.Ordinal))
            _listening.TrySetResult(WitnessAddress.Parse(text[(text.LastIndexOf(' ') + 1)..]));
    }

    private async Task WaitForLengthAsync(long length)
    {
        for (var i = 0; new FileInfo(LogPath).Length < length; i++)
        {
            Assert.True(i < 3000, "The witness did not write the records.");
            await Task.Delay(20);
        }
    }

    private IoTestSpecification CreateSpecification() =>
        new()
        {
            Targets = [new IoTargetSpecification(Path.Combine(_folder, "t.dat"))],
            FileSize = 4 << 20,
            Duration = TimeSpan.FromSeconds(30),
            WarmUp = TimeSpan.Zero,
            WritePercent = 100,
            Buffering = IoBuffering.Both,
            FlushEvery = 16,
            Verify = true,
        };

    private static byte[] CreateHeader() =>
        Encoding.UTF8.GetBytes(
            new WitnessHeader
            {
                Run = 7,
                GroupSize = 4096,
                IsWriteThrough = true,
                Computer = "SQL1",
                Time = DateTimeOffset.UnixEpoch,
                IsFromListener = true,
                Targets = [new WitnessTarget("/mnt/a.dat", "id", 42, 1 << 20, 0, new Dictionary<string, string>())],
            }.ToText()
        );

    private static byte[] CreateRecords(params WitnessRecord[] records)
    {
        var bytes = new byte[records.Length * WitnessRecord.Size];
        for (var i = 0; i < records.Length; i++)
            records[i].WriteTo(bytes.AsSpan(i * WitnessRecord.Size));
        return bytes;
    }
}
