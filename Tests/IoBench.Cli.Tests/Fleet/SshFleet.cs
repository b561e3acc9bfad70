using System.Diagnostics;
using System.Globalization;
using IoBench.Application;

namespace IoBench.Cli.Tests;

/// <summary>A fact that needs real ssh servers in network namespaces. It is skipped with the reason if they cannot be created.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class SshFleetFactAttribute : FactAttribute
{
    private static readonly string[] s_programs = ["sshd", "ssh", "ssh-keygen", "unshare", "nsenter", "ip", "sha256sum"];

    /// <param name="programs">Programs that the test needs in addition.</param>
    public SshFleetFactAttribute(params string[] programs) =>
        Skip =
            !OperatingSystem.IsLinux() ? "needs Linux"
            : !Environment.IsPrivilegedProcess ? "needs root: network namespaces"
            : TestedProgram.UsesWine ? "members run on Linux here"
            : RequiresFactAttribute.Reason([.. s_programs, .. programs]) ?? WhyNoNamespaces.Value;

    private static Lazy<string?> WhyNoNamespaces { get; } =
        new(() =>
        {
            using var process = Process.Start(
                new ProcessStartInfo(
                    "unshare",
                    ["--net", "--mount", "--uts", "--pid", "--fork", "ip", "link", "add", "iob0", "type", "veth", "peer", "name", "iob1"]
                )
                {
                    RedirectStandardError = true,
                    RedirectStandardOutput = true,
                }
            )!;
            var error = process.StandardError.ReadToEnd();
            process.WaitForExit();
            return process.ExitCode == 0 ? null : $"needs network namespaces with veth: {error.Trim()}";
        });
}

/// <summary>
/// Real ssh servers, each with its own disk, home folder, and network. They end with this object or with the test process.
/// </summary>
public sealed class SshFleet : IDisposable
{
    private readonly List<SshHost> _hosts = [];

    public SshFleet(params (string Name, string DiskSize)[] hosts)
    {
        Directory.CreateDirectory(Folder);
        foreach (var folder in new[] { "data", "home", "bin" })
            Directory.CreateDirectory(Path.Combine(Folder, folder));
        RunProgram("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", GetPath("key"));
        RunProgram("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", GetPath("host"));
        File.WriteAllText(
            GetPath("sshd_config"),
            $"""
            HostKey {GetPath("host")}
            AuthorizedKeysFile {GetPath("key.pub")}
            StrictModes no
            UsePAM no
            UseDNS no
            PermitRootLogin yes
            PasswordAuthentication no
            PidFile none
            SetEnv HOME={GetPath("home")}
            Subsystem sftp internal-sftp

            """
        );
        // The controller finds this ssh first, so no ssh file of the current user is read or written.
        File.WriteAllText(
            GetPath("bin/ssh"),
            $"#!/bin/sh\nexec {ProgramFinder.FindOnPath("ssh")} -F none -i {GetPath("key")} -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR \"$@\"\n"
        );
        RunProgram("chmod", "+x", GetPath("bin/ssh"));
        try
        {
            var net = Random.Shared.Next(64, 128);
            var third = Random.Shared.Next(0, 256);
            foreach (var (name, size) in hosts)
                _hosts.Add(new SshHost(this, name, size, $"10.{net}.{third}.{4 * _hosts.Count}"));
            foreach (var host in _hosts)
                host.WaitReady();
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    public string Folder { get; } =
        Path.Combine(SampleFiles.RepositoryRoot, "artifacts", "cli-tests", "fleet-" + Guid.NewGuid().ToString("N")[..8]);

    public IReadOnlyList<SshHost> Hosts => _hosts;

    public SshHost this[string name] => _hosts.First(host => host.Name == name);

    public string GetPath(string name) => Path.Combine(Folder, name);

    public string WriteInventory(params string[] names)
    {
        var path = GetPath($"hosts-{Guid.NewGuid().ToString("N")[..6]}.ini");
        File.WriteAllLines(path, names.Select(name => $"{name} ansible_host={this[name].Address} ansible_user=root"));
        return path;
    }

    public Process StartController(params string[] args) => StartController("off", args);

    public Process StartController(string journal, string[] args)
    {
        InterruptSignal.RestoreDefault();
        var start = new ProcessStartInfo(Cli.Command[0], [.. Cli.Command[1..], "fleet", .. args])
        {
            WorkingDirectory = Folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        start.Environment["PATH"] = $"{GetPath("bin")}:{Environment.GetEnvironmentVariable("PATH")}";
        start.Environment[JournalFolder.Variable] = journal;
        return Process.Start(start)!;
    }

    public (int ExitCode, string Log) RunAnsible(string inventory, string playbook)
    {
        var start = new ProcessStartInfo("ansible-playbook", ["-i", inventory, playbook])
        {
            WorkingDirectory = Folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["ANSIBLE_HOME"] = GetPath("ansible");
        start.Environment["ANSIBLE_LOCAL_TEMP"] = GetPath("ansible");
        // Each host has its own home folder, but all hosts have the same /etc/passwd.
        start.Environment["ANSIBLE_REMOTE_TMP"] = GetPath("home/.ansible/tmp");
        start.Environment["ANSIBLE_ASYNC_DIR"] = GetPath("home/.ansible_async");
        start.Environment["ANSIBLE_HOST_KEY_CHECKING"] = "False";
        start.Environment["ANSIBLE_PRIVATE_KEY_FILE"] = GetPath("key");
        start.Environment["ANSIBLE_SSH_ARGS"] = "-F none -o UserKnownHostsFile=/dev/null";
        using var process = Process.Start(start)!;
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, output + error.Result);
    }

    public void Dispose()
    {
        foreach (var host in _hosts)
            host.Dispose();
        Directory.Delete(Folder, recursive: true);
    }

    internal static string RunProgram(string program, params string[] args)
    {
        using var process = Process.Start(
            new ProcessStartInfo(program, args) { RedirectStandardError = true, RedirectStandardOutput = true }
        )!;
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0
            ? output
            : throw new InvalidOperationException($"{program} {string.Join(' ', args)}: {process.ExitCode} {error.Result}");
    }
}

/// <summary>One ssh server of the fleet.</summary>
public sealed class SshHost : IDisposable
{
    private readonly Process _process;
    private readonly SshFleet _fleet;

    internal SshHost(SshFleet fleet, string name, string diskSize, string net)
    {
        (_fleet, Name) = (fleet, name);
        var dot = net.LastIndexOf('.') + 1;
        var first = int.Parse(net.AsSpan(dot), CultureInfo.InvariantCulture);
        var (near, far) = ($"{net[..dot]}{first + 1}", $"{net[..dot]}{first + 2}");
        Address = far;
        _process = Process.Start(
            new ProcessStartInfo(
                "unshare",
                [
                    "--fork",
                    "--kill-child",
                    "--pid",
                    "--mount-proc",
                    "--mount",
                    "--uts",
                    "--net",
                    "sh",
                    Path.Combine(SampleFiles.RepositoryRoot, "Tests", "IoBench.Cli.Tests", "Fleet", "ssh_host.sh"),
                    name,
                    far,
                    fleet.Folder,
                    diskSize,
                ]
            )
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            }
        )!;
        TestTimeouts.WaitUntil(
            () => _process.HasExited || (ReadLink($"/proc/{_process.Id}/ns/net") is { } own && own != ReadLink("/proc/self/ns/net")),
            $"the namespaces of {name}"
        );
        var wire = $"iob{Guid.NewGuid().ToString("N")[..8]}";
        SshFleet.RunProgram(
            "ip",
            "link",
            "add",
            wire,
            "type",
            "veth",
            "peer",
            "name",
            "eth0",
            "netns",
            _process.Id.ToString(CultureInfo.InvariantCulture)
        );
        SshFleet.RunProgram("ip", "address", "add", $"{near}/30", "dev", wire);
        SshFleet.RunProgram("ip", "link", "set", wire, "up");
    }

    public string Name { get; }

    public string Address { get; }

    /// <summary>Ids (outside of the namespaces) of the member processes on this host.</summary>
    public IReadOnlyList<int> Members =>
        [.. GetProcesses().Where(process => process.Words.Contains("--member", StringComparison.Ordinal)).Select(process => process.Id)];

    /// <summary>Processes on this host, without its ssh server.</summary>
    public IEnumerable<(int Id, string Words)> GetProcesses()
    {
        var space = ReadLink($"/proc/{FirstProcessId}/ns/pid");
        foreach (var folder in Directory.EnumerateDirectories("/proc").Where(folder => int.TryParse(Path.GetFileName(folder), out _)))
        {
            if (ReadLink(folder + "/ns/pid") != space)
                continue;
            string words;
            try
            {
                words = File.ReadAllText(folder + "/cmdline").Replace('\0', ' ');
            }
            catch (IOException)
            {
                continue;
            }
            if (
                words.Length > 0
                && !words.StartsWith("sshd: ", StringComparison.Ordinal)
                && !words.StartsWith("cat ", StringComparison.Ordinal)
                && !words.Contains("ssh_host.sh", StringComparison.Ordinal)
            )
                yield return (int.Parse(Path.GetFileName(folder), CultureInfo.InvariantCulture), words);
        }
    }

    public string RunScript(string script) =>
        SshFleet.RunProgram("nsenter", "-t", FirstProcessId, "-m", "-p", "-u", "-n", "sh", "-ec", script, "sh", _fleet.Folder);

    /// <summary>Paths in the data folder, the home folder, and /var/tmp of this host, without files that a test put there.</summary>
    public string[] Files =>
        [
            .. RunScript("find \"$1/data\" \"$1/home\" /var/tmp -mindepth 1 ! -name filler ! -name .cache")
                .Split('\n', StringSplitOptions.RemoveEmptyEntries),
        ];

    public void Dispose()
    {
        // The first process of the namespaces ends with its standard input, and all other processes with it.
        _process.StandardInput.Close();
        if (!_process.WaitForExit(5000))
            _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
        _process.Dispose();
    }

    internal void WaitReady()
    {
        while (_process.StandardOutput.ReadLine() is { } line)
            if (line == "ready")
                return;
        throw new InvalidOperationException($"{Name} did not start: {_process.StandardError.ReadToEnd()}");
    }

    private string FirstProcessId => File.ReadAllText($"/proc/{_process.Id}/task/{_process.Id}/children").Trim();

    private static string? ReadLink(string path)
    {
        try
        {
            return new FileInfo(path).LinkTarget;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
