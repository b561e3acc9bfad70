using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Commands on all hosts without a controller: start detached members, fetch their output, and remove files of IoBench.</summary>
public sealed class DetachedFleet
{
    private const double MaxClockDifferenceSeconds = 1;

    private readonly object _gate = new();

    /// <summary>Program on hosts that have none in the inventory.</summary>
    public string Program { get; init; } = "iobench";

    /// <summary>Program on this computer for local hosts that have none in the inventory.</summary>
    public string? OwnProgram { get; init; }

    /// <summary>Program to copy to the hosts; null to use the program that is installed there.</summary>
    public ProgramFile? Copy { get; init; }

    /// <summary>Silence after which a host is given up.</summary>
    public TimeSpan HostTimeout { get; init; } = TimeSpan.FromSeconds(90);

    /// <summary>Receives warnings, on any thread, one call at a time.</summary>
    public Action<IoWarning> Warn { get; init; } = _ => { };

    /// <summary>Receives output lines of the hosts, on any thread, one call at a time.</summary>
    public Action<string> Say { get; init; } = _ => { };

    /// <summary>Starts members that begin at a given time by themselves.</summary>
    /// <returns>Hosts on which no member was started, with the reason.</returns>
    public IReadOnlyList<FleetFailure> StartMembers(FleetPlan plan, string group, DateTimeOffset at, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var work = plan.Work.ToDictionary(item => item.Host.Name, StringComparer.Ordinal);
        var version = new FleetOptions { Group = group }.Version;
        return RunOnHosts(
            [.. plan.Work.Select(item => item.Host)],
            host =>
            {
                MemberMessage? hello = null;
                string[] words =
                [
                    .. GetScriptArguments(host),
                    GetFileName(group, host),
                    "--start-at",
                    at.ToUniversalTime().ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture),
                    "--group",
                    group,
                    "--member",
                    host.Name,
                    "--group-hosts",
                    plan.Work.Count.ToString(CultureInfo.InvariantCulture),
                ];
                var answer = HostScriptRunner.Run(
                    host,
                    HostScriptRunner.DetachScript,
                    words,
                    program: Copy,
                    input: JsonResultSerializer.SerializePlan(work[host.Name].Tests) + "\n",
                    lineHandler: line => hello ??= FleetMessageSerializer.ParseMessage(line),
                    silence: HostTimeout,
                    cancelled
                );
                if (answer.ExitCode != 0 || hello is not { State: MemberMessageKind.Hello })
                    return CreateFailure(
                        host,
                        FleetErrorIds.NotReached,
                        $"no member was started: {answer.Error ?? "there was no message."}"
                    );
                if (hello.Version != version)
                    ReportWarning(
                        new IoWarning(FleetErrorIds.OtherVersion, $"{host}: it has IoBench {hello.Version}, this computer {version}.")
                    );
                if (hello.Time - DateTimeOffset.Now is { } ahead && Math.Abs(ahead.TotalSeconds) > MaxClockDifferenceSeconds)
                    ReportWarning(
                        new IoWarning(
                            WarningCodes.FleetClock,
                            $"{host}: its clock is about {Math.Abs(ahead.TotalSeconds):#,##0} s {(ahead > TimeSpan.Zero ? "ahead: it begins early" : "behind: it begins late")} . Synchronize the clocks."
                        )
                    );
                return null;
            }
        );
    }

    /// <returns>The files, and the hosts that returned none or still run.</returns>
    public (IReadOnlyList<string> Files, IReadOnlyList<FleetFailure> Failures) FetchOutput(
        IReadOnlyList<FleetHost> hosts,
        string group,
        string folder,
        CancellationToken cancelled
    )
    {
        ArgumentNullException.ThrowIfNull(hosts);
        _ = GroupId.Validate(group);
        var files = new List<string>();
        var failures = RunOnHosts(
            hosts,
            host =>
            {
                var file = Path.Combine(folder, GetFileName(group, host) + ".jsonl");
                (int? ExitCode, string? Error) answer;
                using (var writer = new StreamWriter(file, new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write }))
                    answer = HostScriptRunner.Run(
                        host,
                        HostScriptRunner.FetchScript,
                        [GetFileName(group, host)],
                        program: null,
                        input: null,
                        lineHandler: line => writer.Write(line + "\n"),
                        silence: HostTimeout,
                        cancelled
                    );
                if (answer.ExitCode is 0 or HostScriptRunner.StillRunningExitCode)
                    lock (files)
                        files.Add(file);
                return answer.ExitCode switch
                {
                    0 => null,
                    HostScriptRunner.StillRunningExitCode => CreateFailure(
                        host,
                        FleetErrorIds.StillRuns,
                        "its member is still running. Fetch its results later."
                    ),
                    _ => CreateFailure(
                        host,
                        FleetErrorIds.NotReached,
                        $"IoBench fetched nothing: {answer.Error ?? "there was no message."}"
                    ),
                };
            }
        );
        return ([.. files.Order(StringComparer.Ordinal)], failures);
    }

    /// <summary>Removes the files of IoBench from all hosts: test files, copied programs, and files of members that have ended.</summary>
    /// <param name="path">Test file on hosts that have no path in the inventory; null to use only paths in the inventory.</param>
    /// <returns>Hosts on which something could not be removed, with the reason.</returns>
    public IReadOnlyList<FleetFailure> RemoveFiles(IReadOnlyList<FleetHost> hosts, string? path, CancellationToken cancelled)
    {
        if (path is not null)
            InventoryNames.CheckPath(path);
        return RunOnHosts(
            hosts,
            host =>
            {
                var place = host.Path ?? path;
                var answer = HostScriptRunner.Run(
                    host,
                    HostScriptRunner.RemoveScript,
                    [.. GetScriptArguments(host), .. place is null ? Array.Empty<string>() : [place]],
                    program: Copy,
                    input: null,
                    lineHandler: line => ReportLine($"{host}: {line}"),
                    silence: HostTimeout,
                    cancelled
                );
                return answer.ExitCode == 0
                    ? null
                    : CreateFailure(
                        host,
                        answer.ExitCode is null or 255 ? FleetErrorIds.NotReached : FleetErrorIds.NotRemoved,
                        answer.Error ?? "not everything was removed."
                    );
            }
        );
    }

    internal static string GetFileName(string group, FleetHost host) =>
        $"{group}.{string.Concat(host.Name.Select(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.' ? c.ToString() : FormattableString.Invariant($"%{(int)c:x}")))}";

    private string[] GetScriptArguments(FleetHost host) =>
        [
            Copy?.Hash ?? "",
            Copy?.Length.ToString(CultureInfo.InvariantCulture) ?? "0",
            host.Program ?? (host.Transport == FleetTransportKind.Local ? OwnProgram : null) ?? Program,
        ];

    private static FleetFailure CreateFailure(FleetHost host, string id, string text) => new(host.Name, null, id, text);

    private static List<FleetFailure> RunOnHosts(IReadOnlyList<FleetHost> hosts, Func<FleetHost, FleetFailure?> one)
    {
        var failures = new List<FleetFailure>();
        BoundedParallel.ForEach(
            hosts,
            BoundedParallel.MaxHosts,
            host =>
            {
                if (one(host) is { } failure)
                    lock (failures)
                        failures.Add(failure);
            }
        );
        return [.. failures.OrderBy(failure => failure.Host, NaturalNameComparer.Instance)];
    }

    private void ReportLine(string text)
    {
        lock (_gate)
            Say(text);
    }

    private void ReportWarning(IoWarning warning)
    {
        lock (_gate)
            Warn(warning);
    }
}

/// <summary>Temporary folder for the files of hosts that only the current user can read; deleted on dispose.</summary>
public sealed class TemporaryFetchFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("iobench-fleet-").FullName;

    public void Dispose()
    {
        try
        {
            Directory.Delete(Path, recursive: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The results are already read, so a temporary folder that cannot be deleted costs only disk space.
        }
    }
}
