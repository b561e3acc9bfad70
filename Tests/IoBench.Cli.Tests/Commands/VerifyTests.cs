using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;

namespace IoBench.Cli.Tests;

public class VerifyTests
{
    private static readonly string[] s_quick = ["--size", "4MB", "--duration", "0.3", "--warmup", "0", "-t", "2", "-o", "4"];

    [Fact]
    public void Verify_exits_with_0_when_all_reads_return_expected_data()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run(["verify", folder.GetPath("t.dat"), "--buffering", "both", "--format", "json", .. s_quick]);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Contains("were compared with what the file must hold", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("no errors.", outcome.Error, StringComparison.Ordinal);
        var integrity = JsonDocument.Parse(outcome.Output).RootElement[0].GetProperty("integrity");
        Assert.True(integrity.GetProperty("readCount").GetInt64() > 0);
        Assert.Equal(0, integrity.GetProperty("errorCount").GetInt64());
        Assert.Equal(4 << 20, integrity.GetProperty("finalPass").GetProperty("byteCount").GetInt64());
        Assert.Equal(50, JsonDocument.Parse(outcome.Output).RootElement[0].GetProperty("writePercent").GetInt32());
    }

    [Fact]
    public void Run_with_verify_adds_the_integrity_section_to_the_report()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run([
            "run",
            folder.GetPath("t.dat"),
            "--verify",
            "--buffering",
            "both",
            "--report",
            folder.GetPath("r.html"),
            .. s_quick,
        ]);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Contains("whether the storage kept its word", File.ReadAllText(folder.GetPath("r.html")), StringComparison.Ordinal);
    }

    [Fact]
    public void Write_witness_over_TCP_records_acknowledged_writes()
    {
        using var folder = new TestFolder();
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var place = string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}");
        listener.Stop();
        using var witness = Cli.StartProcess(folder.Path, "witness", "--listen", place, "--output", "w.log");
        Assert.StartsWith("listening on", Cli.ReadLine(witness.StandardError), StringComparison.Ordinal);
        var outcome = Cli.Run(["verify", folder.GetPath("t.dat"), "--buffering", "software", "--witness", place, .. s_quick]);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.True(witness.WaitForExit(30_000));
        Assert.Contains("the run ended by itself", witness.StandardError.ReadToEnd(), StringComparison.Ordinal);

        outcome = Cli.Run("verify", folder.GetPath("t.dat"), "--after-crash", folder.GetPath("w.log"));
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Contains("acknowledged writes", outcome.Output, StringComparison.Ordinal);
        Assert.Contains("says nothing of a power cut", outcome.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Write_witness_refuses_unsuitable_options()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run(["verify", folder.GetPath("t.dat"), "--buffering", "both", "--witness", folder.GetPath("w.log"), .. s_quick]);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains("nobody promised", outcome.Error, StringComparison.Ordinal);
        outcome = Cli.Run(["verify", folder.GetPath("t.dat"), "--witness", folder.GetPath("w.log"), "--buffering", "software", .. s_quick]);
        Assert.NotEqual(0, outcome.ExitCode);
        Assert.Contains("lies on the volume", outcome.Error, StringComparison.Ordinal);
        Assert.Equal(2, Cli.Run("verify").ExitCode);
        Assert.Equal(2, Cli.Run("witness", "--listen", "127.0.0.1:1").ExitCode);
        Assert.Equal(2, Cli.Run(["run", folder.GetPath("u.dat"), "--witness", "h:1", .. s_quick]).ExitCode);
    }
}
