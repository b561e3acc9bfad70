using System.ComponentModel;
using System.Diagnostics;
using System.Text.Json;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <param name="IsAlive">Whether the controller, or at least one member, still runs.</param>
public sealed record FleetSnapshot(LiveView Scene, bool IsAlive);

/// <summary>Reads the state of a fleet from the file of its controller or from the output of its members.</summary>
public static class LiveViewReader
{
    /// <summary>Reads the state of a fleet on this computer that runs or ran last.</summary>
    /// <param name="group">Id of the group; null for the latest group.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NoFleet</c>: there is none.</exception>
    public static FleetSnapshot ReadSnapshot(string? group) => ReadSnapshot(group, JournalFolder.Path);

    internal static FleetSnapshot ReadSnapshot(string? group, string? folder)
    {
        var files = folder is null ? [] : FindFiles(folder);
        if (group is not null)
            files = [.. files.Where(file => file.Equals(LiveViewWriter.GetPath(folder!, group), StringComparison.OrdinalIgnoreCase))];
        return files
                .Select(ReadFile)
                .OfType<FleetSnapshot>()
                .OrderByDescending(member => member.IsAlive)
                .ThenByDescending(member => member.Scene.Time)
                .FirstOrDefault()
            ?? throw IoBenchException.NotFound(
                FleetErrorIds.NoFleet,
                group is null
                    ? "no fleet has run here. Start one, or specify the files with the output of its members."
                    : (IoMessage)$"no fleet {group} has run here.",
                group,
                group is null ? null : "Check the name, or specify the files with the output of its members."
            );
    }

    /// <summary>Reads the state of members from their output so far.</summary>
    public static FleetSnapshot ReadSnapshot(IReadOnlyList<string> files)
    {
        ArgumentNullException.ThrowIfNull(files);
        var now = DateTimeOffset.Now;
        var members = files.Select(MemberSnapshot.FromFile).OfType<MemberSnapshot>().ToList();
        if (members.Count == 0)
            throw IoBenchException.NotFound(FleetErrorIds.NoFleet, $"no member has written to {NameListFormat.Format(files, 3)}.");
        var running = members.Where(member => member is { Phase: FleetHostPhase.Running, Iops: not null }).ToList();
        var view = new LiveView
        {
            Group = members[0].Group ?? "members",
            Time = now,
            Hosts = members.Count,
            HasEnded = members.TrueForAll(member => member.Phase is FleetHostPhase.Ended),
            IOPS = running.Sum(member => member.Iops!.Value),
            MBps = running.Sum(member => member.MBps ?? 0),
            Phases = LiveView.FormatPhases(
                members.GroupBy(member => member.Phase).ToDictionary(phase => phase.Key, phase => phase.Count())
            ),
            Worst =
            [
                .. running
                    .OrderBy(member => member.Iops)
                    .Take(5)
                    .Select(member => new LiveViewHost(member.Name, member.Iops, member.GetSilentSeconds(now))),
            ],
            Silent =
            [
                .. members
                    .Where(member => member.Phase != FleetHostPhase.Ended && member.GetSilentSeconds(now) > FleetStatus.MinSilentSeconds)
                    .OrderByDescending(member => member.GetSilentSeconds(now))
                    .Take(5)
                    .Select(member => new LiveViewHost(member.Name, null, Math.Round(member.GetSilentSeconds(now), 1))),
            ],
            Events = [.. members.SelectMany(member => member.Failures).TakeLast(20)],
        };
        return new FleetSnapshot(view, !view.HasEnded);
    }

    /// <summary>Reads the state repeatedly until the fleet has ended.</summary>
    public static LiveView FollowFleet(Func<FleetSnapshot> read, TimeSpan every, Action<LiveView> show, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(read);
        ArgumentNullException.ThrowIfNull(show);
        while (true)
        {
            var snapshot = read();
            show(snapshot.Scene);
            if (!snapshot.IsAlive || cancelled.WaitHandle.WaitOne(every))
                return snapshot.Scene;
        }
    }

    internal static IReadOnlyList<string> FindFiles(string folder) => JournalFolder.FindOwnFiles(folder, "fleet-", ".json");

    /// <summary>Reads a file; null if it does not exist or has another format.</summary>
    internal static FleetSnapshot? ReadFile(string file)
    {
        try
        {
            var text = File.ReadAllText(file);
            if (!text.StartsWith(JsonResultReader.JournalHeader, StringComparison.Ordinal))
                return null;
            var view = JsonSerializer.Deserialize(text.AsSpan(JsonResultReader.JournalHeader.Length), LiveViewJson.Readable.LiveView);
            // A file of another version can lack some properties.
            return view is not { Group: not null, Phases: not null, Worst: not null, Silent: not null, Events: not null }
                ? null
                : new FleetSnapshot(view, !view.HasEnded && view.Controller is { } id && IsProcessRunning(id));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or JsonException)
        {
            return null;
        }
    }

    private static bool IsProcessRunning(int id)
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

    private sealed record MemberSnapshot(
        string Name,
        string? Group,
        FleetHostPhase Phase,
        double? Iops,
        double? MBps,
        DateTimeOffset Changed,
        IReadOnlyList<FleetEvent> Failures
    )
    {
        public double GetSilentSeconds(DateTimeOffset now) => Math.Max(0, (now - Changed).TotalSeconds);

        public static MemberSnapshot? FromFile(string file)
        {
            MemberSnapshot? member = null;
            var failures = new List<FleetEvent>();
            foreach (var line in InputFiles.ReadLines(file))
            {
                // The result is long and not needed here.
                var resultStart = line.IndexOf("\"result\":", StringComparison.Ordinal);
                var text = resultStart > 0 ? line[..resultStart].TrimEnd(',', ' ') + "}" : line;
                if (FleetMessageSerializer.ParseMessage(text) is not { } message)
                    continue;
                member ??= new MemberSnapshot(
                    message.Member ?? Path.GetFileNameWithoutExtension(file),
                    message.Group,
                    FleetHostPhase.Preparing,
                    null,
                    null,
                    File.GetLastWriteTime(file),
                    failures
                );
                member = message.State switch
                {
                    MemberMessageKind.Ready => member with { Phase = FleetHostPhase.Armed, Iops = null },
                    MemberMessageKind.Running => member with { Phase = FleetHostPhase.Running, Iops = message.Iops, MBps = message.MBps },
                    MemberMessageKind.Done or MemberMessageKind.Failed => member with { Phase = FleetHostPhase.Preparing, Iops = null },
                    MemberMessageKind.End => member with { Phase = FleetHostPhase.Ended, Iops = null },
                    _ => member,
                };
                if (message.State == MemberMessageKind.Failed)
                    failures.Add(
                        FleetEvent.Create(
                            message.ErrorId ?? ErrorIds.TestFailed,
                            $"{member.Name}: {(message.GetText() ?? "it failed.").WithSentence(message.GetAdvice())}"
                        )
                    );
            }
            return member;
        }
    }
}
