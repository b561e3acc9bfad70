using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public class FleetLiveTests
{
    private static FleetStatus Status(double iops) =>
        new(
            3,
            new Dictionary<FleetPhase, int> { [FleetPhase.Running] = 2, [FleetPhase.Preparing] = 1 },
            iops,
            iops / 128,
            [new FleetHostStatus(new FleetHost { Name = "sql2" }, FleetPhase.Running, 100, 0)],
            [new FleetHostStatus(new FleetHost { Name = "sql11" }, FleetPhase.Preparing, null, 40.04)]
        );

    [Fact]
    public void What_is_written_is_what_a_watcher_sees()
    {
        using var folder = new FleetFolder();
        using (var live = FleetLive.Begin("g1", new PlayedFleet(), folder.Path))
        {
            live.OnWaiting([new FleetHost { Name = "sql11" }], TimeSpan.FromSeconds(40));
            live.OnFailure(new FleetFailure("sql9", "g1/1", "IoBench.HostLost", "the line to it was closed."));
            live.OnFailure(new FleetFailure("sql9", "g1/2", "IoBench.HostLost", "the line to it was closed."));
            live.OnWarning(new IoWarning(WarningCodes.FleetSameName, $"see {Opt.FileSize}"));
            live.OnStatus(Status(3000));
            var sight = FleetWatch.Look(null, folder.Path);
            Assert.True(sight.IsAlive);
            Assert.Equal(
                ["3 hosts: 1 preparing, 2 running", $"3,000 IOPS, {Throughput.Text(3000 / 128.0)}", "lowest sql2 100", "silent sql11 40 s"],
                sight.Scene.Lines
            );
            Assert.Equal(
                [
                    (FleetEventCodes.Waiting, "waiting for sql11, 40 s"),
                    ("IoBench.HostLost", "sql9: the line to it was closed."),
                    (WarningCodes.FleetSameName, "see FileSize"),
                ],
                sight.Scene.Events.Select(happened => (happened.Code, happened.Text))
            );
            // The viewer can use the other front end.
            Assert.EndsWith("  see --file-size", sight.Scene.Render(ProgramSpelling.Default), StringComparison.Ordinal);
            Assert.EndsWith("  see -FileSize", sight.Scene.Render(ModuleSpelling.Default), StringComparison.Ordinal);
            Assert.Contains("waiting for sql11, 40 s", sight.Scene.Text, StringComparison.Ordinal);
        }
        var ended = FleetWatch.Look("g1", folder.Path);
        Assert.Equal((false, true), (ended.IsAlive, ended.Scene.HasEnded));
        Assert.Empty(ended.Scene.Silent);
        // The next fleet removes the files of fleets that have ended.
        using var next = FleetLive.Begin("g2", new PlayedFleet(), folder.Path);
        Assert.Equal("IoBench.NoFleet", Assert.Throws<IoBenchException>(() => FleetWatch.Look("g1", folder.Path)).ErrorId);
        Assert.Equal("g2", FleetWatch.Look(null, folder.Path).Scene.Group);
    }

    [Fact]
    public void A_folder_that_cannot_be_written_costs_no_fleet()
    {
        using var folder = new FleetFolder();
        var file = folder.Write("file", "");
        using var live = FleetLive.Begin("g1", new PlayedFleet(), System.IO.Path.Combine(file, "below"));
        live.OnStatus(Status(1));
    }

    [Theory]
    [InlineData("""{"group":"old","hosts":3}""")]
    [InlineData("""{"hosts":3}""")]
    [InlineData("{")]
    public void A_file_that_lacks_something_is_no_fleet(string text)
    {
        using var folder = new FleetFolder();
        folder.Write("fleet-old.json", text);
        Assert.Equal("IoBench.NoFleet", Assert.Throws<IoBenchException>(() => FleetWatch.Look(null, folder.Path)).ErrorId);
    }

    [Fact]
    public void Members_are_watched_by_what_they_print()
    {
        using var folder = new FleetFolder();
        string[] files =
        [
            folder.Write("a.jsonl", Line("a", FleetState.Hello) + Line("a", FleetState.Ready) + Line("a", FleetState.Running, 500)),
            folder.Write(
                "b.jsonl",
                Line("b", FleetState.Hello)
                    + Line("b", FleetState.Running, 200)
                    + "{\"state\":\"Done\",\"member\":\"b\",\"test\":1,\"result\":{\"iops\":1}}\n"
                    + Line("b", FleetState.End)
            ),
            folder.Write("c.jsonl", Line("c", FleetState.Hello) + Line("c", FleetState.Running, 300) + "{\"state\":\"Runn"),
        ];
        var sight = FleetWatch.Look(files);
        Assert.True(sight.IsAlive);
        Assert.Equal((800, 3, "2 running, 1 ended"), (sight.Scene.IOPS, sight.Scene.Hosts, sight.Scene.Phases));
        Assert.Equal(["c", "a"], sight.Scene.Worst.Select(host => host.Host));
    }

    [Fact]
    public void It_is_followed_until_it_is_over()
    {
        var looks = 0;
        var last = FleetWatch.Follow(
            () => new FleetSight(new FleetScene { Group = "g", Hosts = ++looks }, looks < 4),
            TimeSpan.FromMilliseconds(1),
            _ => { },
            CancellationToken.None
        );
        Assert.Equal((4, 4), (last.Hosts, looks));
    }

    private static string Line(string member, FleetState state, double? iops = null) =>
        FleetLines.Write(
            new FleetMessage
            {
                State = state,
                Member = member,
                Group = "g",
                Test = 1,
                Iops = iops,
            }
        ) + "\n";
}
