using System.ComponentModel;
using System.Diagnostics;
using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>A view of a fleet and whether the fleet still runs.</summary>
/// <param name="IsAlive">Whether the controller, or at least one member, still runs.</param>
public sealed record FleetSight(FleetScene Scene, bool IsAlive);

/// <summary>Reads the state of a fleet from the file of its controller or from the output of its members.</summary>
public static class FleetWatch
{
    /// <summary>Reads the state of a fleet on this computer that runs or ran last.</summary>
    /// <param name="group">Id of the group; null for the latest group.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NoFleet</c>: there is none.</exception>
    public static FleetSight Look(string? group) => Look(group, JournalFolder.Path);

    internal static FleetSight Look(string? group, string? folder)
    {
        var files = folder is null ? [] : FilesIn(folder);
        if (group is not null)
            files = [.. files.Where(file => Path.GetFileName(file).Equals($"fleet-{group}.json", StringComparison.OrdinalIgnoreCase))];
        return files
                .Select(Read)
                .OfType<FleetSight>()
                .OrderByDescending(sight => sight.IsAlive)
                .ThenByDescending(sight => sight.Scene.Time)
                .FirstOrDefault()
            ?? throw IoBenchException.NotFound(
                FleetErrors.NoFleet,
                group is null
                    ? "no fleet has run here: start one, or name the files that its members print."
                    : (IoText)$"no fleet {group} has run here.",
                group,
                group is null ? null : "Check the name, or name the files that its members print."
            );
    }

    /// <summary>Reads the state of members from their output so far.</summary>
    /// <param name="files">One file per member.</param>
    /// <exception cref="IoBenchException">A file cannot be read.</exception>
    public static FleetSight Look(IReadOnlyList<string> files)
    {
        ArgumentNullException.ThrowIfNull(files);
        var now = DateTimeOffset.Now;
        var members = files.Select(MemberSight.Of).OfType<MemberSight>().ToList();
        if (members.Count == 0)
            throw IoBenchException.NotFound(FleetErrors.NoFleet, $"no member has printed anything into {NameList.Of(files, 3)}.");
        var running = members.Where(member => member is { Phase: FleetPhase.Running, Iops: not null }).ToList();
        var scene = new FleetScene
        {
            Group = members[0].Group ?? "members",
            Time = now,
            Hosts = members.Count,
            HasEnded = members.TrueForAll(member => member.Phase is FleetPhase.Ended),
            IOPS = running.Sum(member => member.Iops!.Value),
            MBps = running.Sum(member => member.MBps ?? 0),
            Phases = FleetScene.PhasesOf(members.GroupBy(member => member.Phase).ToDictionary(phase => phase.Key, phase => phase.Count())),
            Worst =
            [
                .. running
                    .OrderBy(member => member.Iops)
                    .Take(5)
                    .Select(member => new FleetSceneHost(member.Name, member.Iops, member.SilentFor(now))),
            ],
            Silent =
            [
                .. members
                    .Where(member => member.Phase != FleetPhase.Ended && member.SilentFor(now) > FleetStatus.SilentFrom)
                    .OrderByDescending(member => member.SilentFor(now))
                    .Take(5)
                    .Select(member => new FleetSceneHost(member.Name, null, Math.Round(member.SilentFor(now), 1))),
            ],
            Events = [.. members.SelectMany(member => member.Failures).TakeLast(20)],
        };
        return new FleetSight(scene, !scene.HasEnded);
    }

    /// <summary>Reads the state repeatedly until the fleet has ended.</summary>
    /// <param name="look">Reads the state once.</param>
    /// <param name="every">Time between reads.</param>
    /// <param name="show">Receives each view.</param>
    /// <param name="cancelled">Cancels the call.</param>
    /// <returns>The last view.</returns>
    public static FleetScene Follow(Func<FleetSight> look, TimeSpan every, Action<FleetScene> show, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(look);
        ArgumentNullException.ThrowIfNull(show);
        while (true)
        {
            var sight = look();
            show(sight.Scene);
            if (!sight.IsAlive || cancelled.WaitHandle.WaitOne(every))
                return sight.Scene;
        }
    }

    internal static IReadOnlyList<string> FilesIn(string folder) =>
        Directory.Exists(folder) ? [.. Directory.EnumerateFiles(folder, "fleet-*.json")] : [];

    /// <summary>Reads a file; null if it does not exist or has another format.</summary>
    internal static FleetSight? Read(string file)
    {
        try
        {
            var scene = JsonSerializer.Deserialize(File.ReadAllText(file), FleetSceneJson.Readable.FleetScene);
            // A file of another version can lack some properties.
            return scene is not { Group: not null, Phases: not null, Worst: not null, Silent: not null, Events: not null }
                ? null
                : new FleetSight(scene, !scene.HasEnded && scene.Controller is { } id && IsThere(id));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or JsonException)
        {
            return null;
        }
    }

    private static bool IsThere(int id)
    {
        try
        {
            using var process = Process.GetProcessById(id);
            return !process.HasExited;
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException or Win32Exception)
        {
            // A process of another user exists but access to it is denied.
            return e is Win32Exception;
        }
    }

    private sealed record MemberSight(
        string Name,
        string? Group,
        FleetPhase Phase,
        double? Iops,
        double? MBps,
        DateTimeOffset Changed,
        IReadOnlyList<FleetEvent> Failures
    )
    {
        public double SilentFor(DateTimeOffset now) => Math.Max(0, (now - Changed).TotalSeconds);

        public static MemberSight? Of(string file)
        {
            MemberSight? sight = null;
            var failures = new List<FleetEvent>();
            foreach (var line in InputFile.ReadLines(file))
            {
                // The result is long and not needed here.
                var text = line.IndexOf("\"result\":", StringComparison.Ordinal) is > 0 and var at
                    ? line[..at].TrimEnd(',', ' ') + "}"
                    : line;
                if (FleetLines.ReadMessage(text) is not { } message)
                    continue;
                sight ??= new MemberSight(
                    message.Member ?? Path.GetFileNameWithoutExtension(file),
                    message.Group,
                    FleetPhase.Preparing,
                    null,
                    null,
                    File.GetLastWriteTime(file),
                    failures
                );
                sight = message.State switch
                {
                    FleetState.Ready => sight with { Phase = FleetPhase.Armed, Iops = null },
                    FleetState.Running => sight with { Phase = FleetPhase.Running, Iops = message.Iops, MBps = message.MBps },
                    FleetState.Done or FleetState.Failed => sight with { Phase = FleetPhase.Preparing, Iops = null },
                    FleetState.End => sight with { Phase = FleetPhase.Ended, Iops = null },
                    _ => sight,
                };
                if (message.State == FleetState.Failed)
                    failures.Add(
                        FleetEvent.Of(
                            message.ErrorId ?? ErrorIds.TestFailed,
                            $"{sight.Name}: {(message.Words() ?? "it failed.").With(message.AdviceWords())}"
                        )
                    );
            }
            return sight;
        }
    }
}
