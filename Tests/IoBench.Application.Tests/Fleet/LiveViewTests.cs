using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public class LiveViewTests
{
    private static FleetStatus CreateStatus(double iops) =>
        new(
            3,
            new Dictionary<FleetHostPhase, int> { [FleetHostPhase.Running] = 2, [FleetHostPhase.Preparing] = 1 },
            iops,
            iops / 128,
            [new LiveViewHost("sql2", 100, 0)],
            [new LiveViewHost("sql11", null, 40.04)]
        );

    [Fact]
    public void LiveViewReader_reads_what_LiveViewWriter_wrote()
    {
        using var folder = new TemporaryFleetFolder();
        using (var live = LiveViewWriter.Create("g1", new SimulatedFleet(), folder.Path))
        {
            live.OnWaiting([new FleetHost { Name = "sql11" }], TimeSpan.FromSeconds(40));
            live.OnFailure(new FleetFailure("sql9", "g1/1", "IoBench.HostLost", "the line to it was closed."));
            live.OnFailure(new FleetFailure("sql9", "g1/2", "IoBench.HostLost", "the line to it was closed."));
            live.OnWarning(new IoWarning(WarningCodes.FleetSameName, $"see {OptionNames.FileSize}"));
            live.OnStatus(CreateStatus(3000));
            var sight = LiveViewReader.ReadSnapshot(null, folder.Path);
            Assert.True(sight.IsAlive);
            Assert.Equal(
                [
                    "3 hosts: 1 preparing, 2 running",
                    $"3,000 IOPS, {ThroughputDisplay.Format(3000 / 128.0)}",
                    "lowest sql2 100",
                    "silent sql11 40 s",
                ],
                sight.Scene.Lines
            );
            Assert.Equal(
                [
                    (FleetEvent.Waiting, "waiting for sql11, 40 s"),
                    ("IoBench.HostLost", "sql9: the line to it was closed."),
                    (WarningCodes.FleetSameName, "see FileSize"),
                ],
                sight.Scene.Events.Select(happened => (happened.Code, happened.Text))
            );
            // The viewer can use the other front end.
            Assert.EndsWith("  see --file-size", sight.Scene.Render(CliSpelling.Default), StringComparison.Ordinal);
            Assert.EndsWith("  see -FileSize", sight.Scene.Render(PowerShellSpelling.Default), StringComparison.Ordinal);
            Assert.Contains("waiting for sql11, 40 s", sight.Scene.Text, StringComparison.Ordinal);
        }
        var ended = LiveViewReader.ReadSnapshot("g1", folder.Path);
        Assert.Equal((false, true), (ended.IsAlive, ended.Scene.HasEnded));
        Assert.Empty(ended.Scene.Silent);
        // The next fleet removes the files of fleets that have ended.
        using var next = LiveViewWriter.Create("g2", new SimulatedFleet(), folder.Path);
        Assert.Equal("IoBench.NoFleet", Assert.Throws<IoBenchException>(() => LiveViewReader.ReadSnapshot("g1", folder.Path)).ErrorId);
        Assert.Equal("g2", LiveViewReader.ReadSnapshot(null, folder.Path).Scene.Group);
    }

    [Fact]
    public void LiveViewWriter_ignores_a_folder_that_cannot_be_written()
    {
        using var folder = new TemporaryFleetFolder();
        var file = folder.WriteFile("file", "");
        using var live = LiveViewWriter.Create("g1", new SimulatedFleet(), System.IO.Path.Combine(file, "below"));
        live.OnStatus(CreateStatus(1));
    }

    [Theory]
    [InlineData("""{"group":"old","hosts":3}""")]
    [InlineData("""{"hosts":3}""")]
    [InlineData("{")]
    public void Incomplete_live_view_file_throws(string text)
    {
        using var folder = new TemporaryFleetFolder();
        folder.WriteFile("iobench-journal-fleet-old.json", JsonResultReader.JournalHeader + "\n" + text);
        Assert.Equal("IoBench.NoFleet", Assert.Throws<IoBenchException>(() => LiveViewReader.ReadSnapshot(null, folder.Path)).ErrorId);
    }

    [Fact]
    public void Live_view_is_created_from_member_output()
    {
        using var folder = new TemporaryFleetFolder();
        string[] files =
        [
            folder.WriteFile(
                "a.jsonl",
                FormatMessage("a", MemberMessageKind.Hello)
                    + FormatMessage("a", MemberMessageKind.Ready)
                    + FormatMessage("a", MemberMessageKind.Running, 500)
            ),
            folder.WriteFile(
                "b.jsonl",
                FormatMessage("b", MemberMessageKind.Hello)
                    + FormatMessage("b", MemberMessageKind.Running, 200)
                    + "{\"state\":\"Done\",\"member\":\"b\",\"test\":1,\"result\":{\"iops\":1}}\n"
                    + FormatMessage("b", MemberMessageKind.End)
            ),
            folder.WriteFile(
                "c.jsonl",
                FormatMessage("c", MemberMessageKind.Hello) + FormatMessage("c", MemberMessageKind.Running, 300) + "{\"state\":\"Runn"
            ),
        ];
        var sight = LiveViewReader.ReadSnapshot(files);
        Assert.True(sight.IsAlive);
        Assert.Equal((800, 3, "2 running, 1 ended"), (sight.Scene.IOPS, sight.Scene.Hosts, sight.Scene.Phases));
        Assert.Equal(["c", "a"], sight.Scene.Worst.Select(host => host.Host));
    }

    [Fact]
    public void Live_view_is_followed_until_the_fleet_ends()
    {
        var looks = 0;
        var last = LiveViewReader.FollowFleet(
            () => new FleetSnapshot(new LiveView { Group = "g", Hosts = ++looks }, looks < 4),
            TimeSpan.FromMilliseconds(1),
            _ => { },
            CancellationToken.None
        );
        Assert.Equal((4, 4), (last.Hosts, looks));
    }

    private static string FormatMessage(string member, MemberMessageKind state, double? iops = null) =>
        FleetMessageSerializer.Serialize(
            new MemberMessage
            {
                State = state,
                Member = member,
                Group = "g",
                Test = 1,
                Iops = iops,
            }
        ) + "\n";
}
