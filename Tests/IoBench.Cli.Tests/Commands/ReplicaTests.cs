using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;

namespace IoBench.Cli.Tests;

public class ReplicaTests
{
    private static readonly string[] s_small = ["--file-size", "8MB", "--duration", "150ms", "--committers", "1,2"];

    [LinuxFact]
    public void Commit_with_a_replica_prints_the_parts_and_Ctrl_C_ends_the_replica()
    {
        using var folder = new TestFolder();
        var secret = folder.WriteFile("secret.txt", "a-secret-of-this-test\n");
        using var replica = new ReplicaProcess(folder, secret);
        string[] arguments =
        [
            "commit",
            folder.GetPath("c.dat"),
            "--replica",
            replica.Address,
            "--secret-file",
            secret,
            "--redo",
            .. s_small,
        ];
        var run = Cli.Run(arguments);
        Assert.Equal((0, ""), (run.ExitCode, run.ExitCode == 0 ? "" : run.Error));
        var lines = run.Output.Split('\n');
        foreach (var part in new[] { "commit ", "local disk ", "network ", "remote disk " })
            Assert.Equal(8, lines.Count(line => line.StartsWith("  " + part, StringComparison.Ordinal)));
        Assert.All(
            lines.Where(line => !line.StartsWith("Replica ", StringComparison.Ordinal)),
            line => Assert.InRange(line.TrimEnd().Length, 0, 79)
        );
        var text = string.Join(' ', lines.Select(line => line.TrimEnd()));
        Assert.Contains("Predicted commit latency with a synchronous replica at 127.0.0.1:", text, StringComparison.Ordinal);
        Assert.Contains("The prediction does not include the effects of log compression", text, StringComparison.Ordinal);

        run = Cli.Run([.. arguments, "--format", "json", "-q", "--report", folder.GetPath("r.html")]);
        Assert.Equal(0, run.ExitCode);
        using var json = JsonDocument.Parse(run.Output);
        var found = json.RootElement.GetProperty("replica");
        Assert.Equal(replica.Address, found.GetProperty("address").GetString());
        Assert.True(found.GetProperty("isLocal").GetBoolean());
        Assert.Equal(8, found.GetProperty("measurements").GetArrayLength());
        Assert.True(found.GetProperty("measurements")[0].TryGetProperty("remoteDiskAverageMs", out _));
        Assert.Contains("Synchronous replica 127.0.0.1:", File.ReadAllText(folder.GetPath("r.html")), StringComparison.Ordinal);

        var (exitCode, error) = replica.Interrupt();
        Assert.Equal(0, exitCode);
        Assert.Contains("has ended: ", error, StringComparison.Ordinal);
        Assert.Contains("has started.", error, StringComparison.Ordinal);
        Assert.False(File.Exists(replica.Path));
    }

    [LinuxTheory]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    [InlineData(UnixFileMode.GroupRead, true)]
    [InlineData(UnixFileMode.OtherRead, true)]
    [InlineData(UnixFileMode.None, false)]
    public void Secret_file_that_other_users_can_read_is_a_warning(UnixFileMode others, bool isWarning)
    {
        using var folder = new TestFolder();
        var secret = folder.WriteFile("secret.txt", "a-secret-of-this-test\n");
        File.SetUnixFileMode(secret, UnixFileMode.UserRead | UnixFileMode.UserWrite | others);
        // No replica listens there.
        var run = Cli.Run([
            "commit",
            folder.GetPath("c.dat"),
            "--replica",
            $"127.0.0.1:{GetFreePort()}",
            "--secret-file",
            secret,
            .. s_small,
        ]);
        Assert.Contains("[IoBench.ReplicaUnreachable]", run.Error, StringComparison.Ordinal);
        Assert.Equal(isWarning, run.Error.Contains("[IoBench.SecretReadable]", StringComparison.Ordinal));
        Assert.Equal(isWarning, run.Error.Contains($"chmod 600 {secret}", StringComparison.Ordinal));
    }

    [LinuxFact]
    public void Secret_can_come_from_the_environment_and_a_wrong_one_is_refused()
    {
        using var folder = new TestFolder();
        var secret = folder.WriteFile("secret.txt", "a-secret-of-this-test\n");
        using var replica = new ReplicaProcess(folder, secret);
        var wrong = folder.WriteFile("wrong.txt", "another-secret-of-this-test");
        var run = Cli.Run(["commit", folder.GetPath("c.dat"), "--replica", replica.Address, "--secret-file", wrong, .. s_small]);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("[IoBench.ReplicaRefused]", run.Error, StringComparison.Ordinal);
        // The address and the secret are checked before the file is created.
        Assert.False(File.Exists(folder.GetPath("c.dat")));
        Assert.Equal(0, replica.Interrupt().ExitCode);
        run = Cli.Run(["commit", folder.GetPath("c.dat"), "--replica", replica.Address, "--secret-file", secret, .. s_small]);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("[IoBench.ReplicaUnreachable]", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("IoBench.InvalidReplica", "commit", "--replica", "sql2")]
    [InlineData("IoBench.NoSecret", "commit", "--replica", "sql2:8434")]
    [InlineData("IoBench.Usage", "commit", "--redo")]
    [InlineData("IoBench.Usage", "commit", "--secret-file", "secret.txt")]
    [InlineData("IoBench.FileNotFound", "commit", "--replica", "sql2:8434", "--secret-file", "missing.txt")]
    [InlineData("IoBench.NoSecret", "replica")]
    [InlineData("IoBench.FileNotFound", "replica", "--secret-file", "missing.txt")]
    [InlineData("IoBench.InvalidReplica", "replica", "--listen", "sql2:8434")]
    [InlineData("IoBench.InvalidReplica", "replica", "--listen", "8434")]
    public void Invalid_addresses_and_missing_secrets_are_refused(string id, string command, params string[] options)
    {
        using var folder = new TestFolder();
        var path = folder.GetPath("c.dat");
        var run = Cli.Run([command, path, .. options]);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains($"[{id}]", run.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(path));
    }

    [Fact]
    public void Replica_refuses_files_that_IoBench_did_not_create()
    {
        using var folder = new TestFolder();
        var secret = folder.WriteFile("secret.txt", "a-secret-of-this-test");
        foreach (var (name, id) in new[] { ("theirs.dat", "IoBench.ForeignFile"), ("sales.ldf", "IoBench.SqlServerFile") })
        {
            var theirs = folder.WriteFile(name, new string('x', 5 << 20));
            var run = Cli.Run("replica", theirs, "--secret-file", secret, "--file-size", "4MB", "--listen", $"127.0.0.1:{GetFreePort()}");
            Assert.Equal(2, run.ExitCode);
            Assert.Contains($"[{id}]", run.Error, StringComparison.Ordinal);
            Assert.Equal(new string('x', 5 << 20), File.ReadAllText(theirs));
        }
    }

    private static int GetFreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private sealed class ReplicaProcess : IDisposable
    {
        private readonly Process _process;
        private readonly List<string> _lines = [];

        public ReplicaProcess(TestFolder folder, string secret)
        {
            Address = $"127.0.0.1:{GetFreePort()}";
            Path = folder.GetPath("r.dat");
            _process = Cli.StartProcess(
                folder.Path,
                "replica",
                "r.dat",
                "--listen",
                Address,
                "--secret-file",
                secret,
                "--file-size",
                "8MB",
                "--remove-test-file"
            );
            string? line;
            do
            {
                line = _process.StandardError.ReadLine();
                _lines.Add(line ?? throw new InvalidOperationException(string.Join('\n', _lines)));
            } while (!line.StartsWith("Listening on", StringComparison.Ordinal));
            Assert.Equal($"Listening on {Address}. Press Ctrl+C to stop the replica.", line);
        }

        public string Address { get; }

        public string Path { get; }

        public (int ExitCode, string Error) Interrupt()
        {
            using (var kill = Process.Start("kill", ["-INT", $"{_process.Id}"]))
                kill.WaitForExit();
            var rest = _process.StandardError.ReadToEnd();
            Assert.True(_process.WaitForExit(60_000));
            return (_process.ExitCode, string.Join('\n', _lines) + rest);
        }

        public void Dispose()
        {
            if (!_process.HasExited)
                _process.Kill();
            _process.Dispose();
        }
    }
}
