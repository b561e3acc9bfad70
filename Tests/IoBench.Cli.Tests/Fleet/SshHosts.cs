using System.Diagnostics;
using System.Globalization;

namespace IoBench.Cli.Tests;

/// <summary>A fact about hosts that are reached by ssh; reported as skipped, with the reason, where there can be none.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class SshHostsFactAttribute : FactAttribute
{
    public SshHostsFactAttribute() => Skip = SshHosts.WhyNot;
}

/// <summary>The same for several cases.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class SshHostsTheoryAttribute : TheoryAttribute
{
    public SshHostsTheoryAttribute() => Skip = SshHosts.WhyNot;
}

/// <summary>
/// Hosts of a test's own: each an ssh server in a network namespace, with its own address, host key, name, disk and home. The controller runs outside of them and
/// has an ssh that knows their names.
/// </summary>
internal sealed class SshHosts : IDisposable
{
    private static readonly Lazy<string?> s_whyNot = new(Look);

    private readonly TestFolder _folder = new();
    private readonly string _mark = $"iob{Environment.ProcessId % 100_000}";
    private readonly string _net = FormattableString.Invariant($"198.{18 + Environment.ProcessId % 2}.{Environment.ProcessId / 2 % 256}");
    private readonly List<Process> _servers = [];

    /// <param name="disks">A disk for each host: its name is what is mounted there, such as <c>tmpfs:8m</c> or <c>read-only</c>; empty = a folder of this computer.</param>
    public SshHosts(params string[] disks)
    {
        Directory.CreateDirectory("/run/sshd");
        foreach (var place in new[] { "data", "home", "bin" })
            Directory.CreateDirectory(_folder.File(place));
        Must("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", _folder.File("user_key"));
        Must("ip", "link", "add", _mark, "type", "bridge");
        Must("ip", "address", "add", _net + ".1/24", "dev", _mark);
        Must("ip", "link", "set", _mark, "up");
        for (var host = 1; host <= disks.Length; host++)
            Start(host, disks[host - 1]);
        var names = string.Concat(Enumerable.Range(1, disks.Length).Select(host => $"Host sql{host}\n  HostName {_net}.{10 + host}\n"));
        _folder.Write("ssh_config", $"{names}Host *\n  User root\n  IdentityFile {_folder.File("user_key")}\n  IdentitiesOnly yes\n  StrictHostKeyChecking no\n  UserKnownHostsFile /dev/null\n  LogLevel ERROR\n");
        MakeProgram("bin/ssh", $"exec {Tool.Find("ssh")} -F {_folder.File("ssh_config")} \"$@\"");
        for (var host = 1; host <= disks.Length; host++)
            Patience.WaitFor(() => Try(_folder.File("bin/ssh"), $"sql{host}", "true"), $"sql{host} to answer");
    }

    /// <summary>Why there can be no such hosts here; null when there can.</summary>
    public static string? WhyNot => s_whyNot.Value;

    /// <summary>The test file, the same path on each host.</summary>
    public string TestFile => _folder.File("data/t.dat");

    /// <summary>A file of the controller's.</summary>
    public string File(string name) => _folder.File(name);

    /// <summary>The disk of a host as it is seen from outside; empty for one that has a file system of its own.</summary>
    public string DiskOf(int host) => _folder.File($"sql{host}/data");

    /// <summary>Where a host keeps programs that were copied to it.</summary>
    public string CacheOf(int host) => _folder.File($"sql{host}/home/iobench/fleet");

    /// <summary>A program of one file, whatever the build that is tested consists of.</summary>
    public string MakeProgram(string name, string? does = null)
    {
        var file = _folder.Write(name, $"#!/bin/sh\n{does ?? $"exec {Cli.Program} \"$@\""}\n");
        if (!OperatingSystem.IsWindows())
            System.IO.File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        return file;
    }

    /// <summary>Starts the program where ssh knows the hosts.</summary>
    public Process Begin(params string[] args)
    {
        InterruptSignal.Hear();
        var start = new ProcessStartInfo(Cli.Command[0], [.. Cli.Command[1..], .. args]) { WorkingDirectory = _folder.Path, RedirectStandardOutput = true, RedirectStandardError = true, RedirectStandardInput = true };
        start.Environment["PATH"] = _folder.File("bin") + ":" + Environment.GetEnvironmentVariable("PATH");
        return Process.Start(start)!;
    }

    /// <summary>Runs the program to its end.</summary>
    /// <param name="args">Its words.</param>
    /// <param name="heard">Is told each line of its standard error.</param>
    public CliOutcome Run(string[] args, Action<string>? heard = null)
    {
        using var process = Begin(args);
        var output = process.StandardOutput.ReadToEndAsync();
        var error = new List<string>();
        while (process.StandardError.ReadLine() is { } line)
        {
            error.Add(line);
            heard?.Invoke(line);
        }
        process.WaitForExit();
        return new CliOutcome(process.ExitCode, output.Result, string.Join('\n', error));
    }

    /// <summary>Processes of members on a host.</summary>
    public IReadOnlyList<int> MembersOn(int host) => [.. Read("ip", "netns", "pids", NameOf(host)).Split('\n', StringSplitOptions.RemoveEmptyEntries)
        .Select(id => int.Parse(id, CultureInfo.InvariantCulture)).Where(id => CommandOf(id).Contains("--member", StringComparison.Ordinal))];

    /// <summary>Sends a signal to the members of a host.</summary>
    public void Signal(int host, string signal)
    {
        foreach (var member in MembersOn(host))
            Try("kill", "-" + signal, member.ToString(CultureInfo.InvariantCulture));
    }

    /// <summary>Cuts the line of a host, so that neither end hears of it.</summary>
    public void Cut(int host) => Must("ip", "link", "set", LinkOf(host), "down");

    /// <summary>Joins a line that was cut.</summary>
    public void Join(int host) => Must("ip", "link", "set", LinkOf(host), "up");

    public void Dispose()
    {
        for (var host = 1; host <= _servers.Count; host++)
        {
            foreach (var id in Read("ip", "netns", "pids", NameOf(host)).Split('\n', StringSplitOptions.RemoveEmptyEntries))
                Try("kill", "-9", id);
            Try("ip", "netns", "delete", NameOf(host));
        }
        Try("ip", "link", "delete", _mark);
        foreach (var server in _servers)
        {
            server.WaitForExit();
            server.Dispose();
        }
        _folder.Dispose();
    }

    private void Start(int host, string disk)
    {
        var (name, address) = (NameOf(host), FormattableString.Invariant($"{_net}.{10 + host}"));
        var own = _folder.File($"sql{host}");
        foreach (var place in new[] { "data", "home" })
            Directory.CreateDirectory(Path.Combine(own, place));
        Must("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", Path.Combine(own, "host_key"));
        Must("ip", "netns", "add", name);
        Must("ip", "link", "add", LinkOf(host), "type", "veth", "peer", "name", "eth0", "netns", name);
        Must("ip", "link", "set", LinkOf(host), "master", _mark, "up");
        Must("ip", "-n", name, "address", "add", address + "/24", "dev", "eth0");
        Must("ip", "-n", name, "link", "set", "eth0", "up");
        Must("ip", "-n", name, "link", "set", "lo", "up");
        var home = _folder.File("home");
        System.IO.File.WriteAllText(Path.Combine(own, "sshd_config"), $"""
            Port 22
            ListenAddress {address}
            HostKey {own}/host_key
            PidFile none
            AuthorizedKeysFile {_folder.File("user_key.pub")}
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            UsePAM no
            StrictModes no
            PermitRootLogin prohibit-password
            SetEnv XDG_CACHE_HOME={home} XDG_DATA_HOME={home} DOTNET_ROOT={Path.GetDirectoryName(Environment.ProcessPath)}

            """);
        var data = _folder.File("data");
        var mount = disk.Split(':') switch
        {
            ["tmpfs", var size] => $"mount -t tmpfs -o size={size} tmpfs {data}",
            ["read-only"] => $"mount --bind {own}/data {data} && mount -o remount,ro,bind {data}",
            _ => $"mount --bind {own}/data {data}",
        };
        var script = $"hostname sql{host} && {mount} && mount --bind {own}/home {home} && exec {Sshd} -D -e -f {own}/sshd_config";
        _servers.Add(Process.Start(new ProcessStartInfo("ip", ["netns", "exec", name, "unshare", "--uts", "--mount", "sh", "-c", script]) { RedirectStandardError = true, RedirectStandardOutput = true })!);
        // What it says is not needed, and shall not hold it up.
        _ = _servers[^1].StandardError.ReadToEndAsync();
    }

    private string NameOf(int host) => FormattableString.Invariant($"{_mark}-{host}");

    private string LinkOf(int host) => FormattableString.Invariant($"{_mark}v{host}");

    private static string? Sshd => Tool.Find("sshd") ?? (System.IO.File.Exists("/usr/sbin/sshd") ? "/usr/sbin/sshd" : null);

    private static string? Look()
    {
        if (!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess)
            return "needs Linux and root";
        var missing = new[] { "ssh", "ssh-keygen", "ip", "unshare", "mount" }.Where(program => Tool.Find(program) is null).Concat(Sshd is null ? ["sshd"] : Array.Empty<string>()).ToList();
        if (missing.Count > 0)
            return "needs " + string.Join(", ", missing);
        var name = $"iob{Environment.ProcessId % 100_000}-look";
        if (!Try("ip", "netns", "add", name))
            return "needs a system that lets root make network namespaces";
        Try("ip", "netns", "delete", name);
        return null;
    }

    private static string CommandOf(int id)
    {
        try
        {
            return System.IO.File.ReadAllText($"/proc/{id}/cmdline").Replace('\0', ' ');
        }
        catch (IOException)
        {
            return "";
        }
    }

    private static void Must(string program, params string[] args) => Assert.True(Execute(program, args) is (0, _), $"{program} {string.Join(' ', args)}");

    private static bool Try(string program, params string[] args) => Execute(program, args).Code == 0;

    private static string Read(string program, params string[] args) => Execute(program, args).Output;

    private static (int Code, string Output) Execute(string program, string[] args)
    {
        using var process = Process.Start(new ProcessStartInfo(program, args) { RedirectStandardOutput = true, RedirectStandardError = true, RedirectStandardInput = true })!;
        process.StandardInput.Close();
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, output + error.Result);
    }
}
