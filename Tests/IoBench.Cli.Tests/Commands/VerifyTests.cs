using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

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
        Assert.Contains("all reads returned the expected data.", outcome.Error, StringComparison.Ordinal);
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
        Assert.Contains("Data integrity", File.ReadAllText(folder.GetPath("r.html")), StringComparison.Ordinal);
    }

    [Fact]
    public void Write_witness_over_TCP_records_acknowledged_writes()
    {
        using var folder = new TestFolder();
        RecordRun(folder);
        var outcome = Cli.Run("verify", folder.GetPath("t.dat"), "--after-crash", folder.GetPath("w.log"));
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Contains("acknowledged writes", outcome.Output, StringComparison.Ordinal);
        Assert.Contains("not a test of a power loss", outcome.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Check_after_a_crash_is_not_verified_with_a_cut_or_damaged_witness()
    {
        using var folder = new TestFolder();
        RecordRun(folder);
        var log = folder.GetPath("w.log");
        var bytes = File.ReadAllBytes(log);
        var header = bytes.AsSpan().IndexOf("\nend\n"u8) + 5;
        byte[] firstDamaged = [.. bytes];
        firstDamaged[header + 3] ^= 1;
        byte[] middleDamaged = [.. bytes];
        middleDamaged[header + 32 * 2] ^= 1;
        var text = Encoding.Latin1.GetString(bytes, 0, header);
        byte[] otherSize =
        [
            .. Encoding.Latin1.GetBytes(Regex.Replace(text, "size=[0-9]+", "size=9000000000000000000")),
            .. bytes[header..],
        ];
        foreach (
            var (content, reason) in new (byte[], string)[]
            {
                ([], "The witness is empty."),
                (bytes[..header], "The witness contains no records of writes."),
                (bytes[..(header - 3)], "The header of the witness is incomplete"),
                (otherSize, "The header of the witness is damaged: the header describes a file of 9,000,000,000,000,000,000 bytes"),
                (bytes[..^32], "The log is incomplete, because its last record is missing."),
                (bytes[..^40], "is incomplete."),
                (firstDamaged, "its checksum is wrong. IoBench used 0 valid records"),
                (middleDamaged, "its checksum is wrong. IoBench used 2 valid records"),
            }
        )
        {
            File.WriteAllBytes(log, content);
            var outcome = Cli.Run("verify", folder.GetPath("t.dat"), "--after-crash", log);
            Assert.True(outcome.ExitCode == 3, reason + outcome.Error);
            Assert.StartsWith("NOT VERIFIED: ", outcome.Output, StringComparison.Ordinal);
            Assert.Contains(reason, outcome.Output, StringComparison.Ordinal);
            Assert.Contains("NOT VERIFIED", outcome.ErrorLines[^1], StringComparison.Ordinal);
        }

        // The records before the damage prove that the storage lost a write.
        using (var file = File.OpenWrite(folder.GetPath("t.dat")))
            file.Write(new byte[4 << 20]);
        File.WriteAllBytes(log, middleDamaged);
        var lost = Cli.Run("verify", folder.GetPath("t.dat"), "--after-crash", log);
        Assert.True(lost.ExitCode == 1, lost.Error);
        Assert.Contains("IoBench used 2 valid records", lost.Output, StringComparison.Ordinal);
    }

    /// <summary>The listener ends within seconds of a signal: while it waits, with open connections, and during a run.</summary>
    [LinuxFact]
    public void Witness_ends_on_a_signal_with_idle_connections()
    {
        using var folder = new TestFolder();
        using var witness = StartWitness(folder, out var place);
        var address = IPEndPoint.Parse(place.Split('#')[0]);
        using var idle = new TcpClient();
        idle.Connect(address);
        using (var signal = System.Diagnostics.Process.Start("kill", ["-TERM", witness.Id.ToString(CultureInfo.InvariantCulture)]))
            signal.WaitForExit();
        Assert.True(witness.WaitForExit(30_000));
        Assert.Equal(130, witness.ExitCode);
        Assert.False(File.Exists(folder.GetPath("w.log")));
    }

    private static System.Diagnostics.Process StartWitness(TestFolder folder, out string place)
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        place = string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}");
        listener.Stop();
        var witness = Cli.StartProcess(folder.Path, "witness", "--listen", place, "--output", "w.log");
        var line = Cli.ReadLine(witness.StandardError)!;
        Assert.StartsWith($"Listening on {place}. Start the run with: --witness {place}#", line, StringComparison.Ordinal);
        place = line[(line.LastIndexOf(' ') + 1)..];
        return witness;
    }

    private static void RecordRun(TestFolder folder)
    {
        using var witness = StartWitness(folder, out var place);
        var outcome = Cli.Run(["verify", folder.GetPath("t.dat"), "--buffering", "software", "--witness", place, .. s_quick]);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.True(witness.WaitForExit(30_000));
        Assert.Contains("The run ended normally", witness.StandardError.ReadToEnd(), StringComparison.Ordinal);
        Assert.Equal(0, witness.ExitCode);
        Assert.DoesNotContain(place.Split('#')[1], outcome.Output + outcome.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Write_witness_refuses_unsuitable_options()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run(["verify", folder.GetPath("t.dat"), "--buffering", "both", "--witness", folder.GetPath("w.log"), .. s_quick]);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains("The writes of this test can be lost in a power loss", outcome.Error, StringComparison.Ordinal);
        outcome = Cli.Run(["verify", folder.GetPath("t.dat"), "--witness", folder.GetPath("w.log"), "--buffering", "software", .. s_quick]);
        Assert.NotEqual(0, outcome.ExitCode);
        Assert.Contains("is on the volume", outcome.Error, StringComparison.Ordinal);
        Assert.Equal(2, Cli.Run("verify").ExitCode);
        Assert.Equal(2, Cli.Run("witness", "--listen", "127.0.0.1:1").ExitCode);
        Assert.Equal(2, Cli.Run(["run", folder.GetPath("u.dat"), "--witness", "h:1", .. s_quick]).ExitCode);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Verify_exits_with_3_when_content_is_not_verified(bool isQuiet)
    {
        using var folder = new TestFolder();
        var good = folder.GetPath("good.dat");
        var changed = CreateChangedFile(folder);
        Assert.Equal(0, Cli.Run(["verify", good, "--buffering", "both", "--write", "0", .. s_quick]).ExitCode);

        string[] options = isQuiet ? ["--quiet"] : [];
        var outcome = Cli.Run(["verify", good, changed, "--buffering", "both", "--write", "0", .. s_quick, .. options]);

        Assert.Equal(3, outcome.ExitCode);
        Assert.Contains($"NOT VERIFIED: {changed}: IoBench verified 4,190,208 bytes", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("4,096 bytes starting at offset 4,096 differ", outcome.Error, StringComparison.Ordinal);
        Assert.Contains("NOT VERIFIED", outcome.Output, StringComparison.Ordinal);
        Assert.DoesNotContain(
            outcome.Error.Split('\n'),
            line => line.Contains(changed, StringComparison.Ordinal) && line.StartsWith("PASS", StringComparison.Ordinal)
        );
        if (options.Length == 0)
            Assert.Contains(outcome.Error.Split('\n'), line => line.StartsWith($"PASS: {good}", StringComparison.Ordinal));
    }

    [Fact]
    public void Result_that_is_not_verified_never_passes()
    {
        using var folder = new TestFolder();
        var changed = CreateChangedFile(folder);
        var json = folder.GetPath("r.json");
        var run = Cli.Run([
            "run",
            changed,
            "--verify",
            "--write",
            "0",
            "--buffering",
            "both",
            "--require",
            "hard-limits",
            "--output",
            json,
            .. s_quick,
        ]);
        Assert.Equal(3, run.ExitCode);
        Assert.DoesNotContain("no errors", run.Error, StringComparison.Ordinal);
        var integrity = JsonDocument.Parse(File.ReadAllText(json)).RootElement[0].GetProperty("integrity");
        Assert.Equal("NotVerified", integrity.GetProperty("outcome").GetString());
        Assert.Equal(4096, integrity.GetProperty("unverifiedBytes").GetInt64());
        Assert.Equal("PartlyProved", integrity.GetProperty("firstPass").GetProperty("initialContent").GetString());
        Assert.Equal("ChangedOutside", integrity.GetProperty("unverified")[0].GetProperty("reason").GetString());

        var test = Cli.Run("test", json, "--require", "hard-limits");
        Assert.Equal(3, test.ExitCode);
        Assert.Contains("NOT VERIFIED", test.Error, StringComparison.Ordinal);
        var baseline = folder.GetPath("baseline.json");
        File.Copy(json, baseline);
        var compare = Cli.Run("compare", json, "--baseline", baseline);
        Assert.Equal(3, compare.ExitCode);
        Assert.Contains("NOT VERIFIED", compare.Error, StringComparison.Ordinal);
        Assert.Contains("NOT VERIFIED", Cli.Run("import", json).Error, StringComparison.Ordinal);
        Cli.Run("report", json, "--output", folder.GetPath("r.html"));
        Assert.Contains("NOT VERIFIED", File.ReadAllText(folder.GetPath("r.html")), StringComparison.Ordinal);
    }

    [Fact]
    public void Result_with_integrity_errors_never_passes()
    {
        using var folder = new TestFolder();
        var json = folder.GetPath("r.json");
        var run = Cli.Run(["run", folder.GetPath("t.dat"), "--write", "0", "--buffering", "both", "--output", json, .. s_quick]);
        Assert.True(run.ExitCode == 0, run.Error);
        var good = File.ReadAllText(json);
        var at = good.IndexOf("\"status\"", StringComparison.Ordinal);
        File.WriteAllText(json, good.Insert(at, "\"integrity\": {\"errorCount\": 7}, "));

        var test = Cli.Run("test", json, "--require", "hard-limits");
        Assert.Equal(3, test.ExitCode);
        Assert.Contains("the integrity check found 7 errors", test.Output + test.Error, StringComparison.Ordinal);
        var baseline = folder.WriteFile("baseline.json", good);
        Assert.Equal(3, Cli.Run("compare", json, "--baseline", baseline).ExitCode);

        File.WriteAllText(
            json,
            good.Replace("\"Complete\"", "\"Failed\"", StringComparison.Ordinal)
                .Replace("\"errorMessage\": null", "\"errorMessage\": \"the disk is gone\"", StringComparison.Ordinal)
        );
        Assert.Contains("failed: the disk is gone", Cli.Run("import", json).Error, StringComparison.Ordinal);
    }

    // A block in the middle is changed by another program.
    private static string CreateChangedFile(TestFolder folder)
    {
        var path = folder.GetPath("t.dat");
        var run = Cli.Run(["run", path, "--write", "0", "--buffering", "both", .. s_quick]);
        Assert.True(run.ExitCode == 0, run.Error);
        using var file = new FileStream(path, FileMode.Open, FileAccess.Write);
        file.Position = 4096;
        file.Write(new byte[4096]);
        return path;
    }
}
