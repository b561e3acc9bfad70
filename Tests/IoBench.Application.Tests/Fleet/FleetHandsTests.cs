using System.Collections.Concurrent;
using IoBench.Engine;

namespace IoBench.Application.Tests;

/// <summary>Runs the scripts in local processes instead of on hosts, with a shell script as the program.</summary>
public sealed class FleetHandsTests : IDisposable
{
    private readonly FleetFolder _folder = new();
    private readonly string? _cache = Environment.GetEnvironmentVariable("XDG_CACHE_HOME");

    // Only these tests use the folder of copied programs, so no other test reads this variable.
    public FleetHandsTests() => Environment.SetEnvironmentVariable("XDG_CACHE_HOME", _folder.File("cache"));

    public void Dispose()
    {
        Environment.SetEnvironmentVariable("XDG_CACHE_HOME", _cache);
        _folder.Dispose();
    }

    private string Place => _folder.File("cache/iobench/fleet");

    private static FleetHost Host(string name) => new() { Name = name, Transport = FleetTransportKind.Local };

    /// <summary>Creates a program that sends a hello message like a member, runs the specified commands, and ends.</summary>
    private ProgramFile Program(string does = "") =>
        ProgramFile.Of(
            _folder.Write(
                "iobench",
                $$"""
                #!/bin/sh
                if [ "$1" = remove ]; then rm "$2"; exit; fi
                echo '{"state":"Hello","member":"a","group":"g","count":1,"version":"{{new FleetOptions
                {
                    Group = "",
                }.Version}}","time":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'"}'
                {{does}}
                echo '{"state":"End"}'
                """
            )
        );

    private static FleetPlan Plan(params string[] hosts) =>
        FleetPlan.Create([.. hosts.Select(Host)], "/data/a.dat", () => new PlanRequest());

    [Theory]
    [InlineData("../elsewhere")]
    [InlineData("/etc/group")]
    [InlineData("")]
    public void A_groups_name_leads_nowhere_else(string group)
    {
        var error = Assert.Throws<IoBenchException>(() =>
            new FleetHands().Fetch([Host("a")], group, _folder.File("."), CancellationToken.None)
        );
        Assert.Equal(FleetErrors.NoFleet, error.ErrorId);
    }

    [LinuxFact]
    public void A_program_is_copied_once_and_repaired_when_it_is_damaged()
    {
        var program = Program();
        var copy = Path.Combine(Place, "iobench-" + program.Hash);
        Assert.Contains(Play(program), message => message.State == FleetState.Hello);
        Assert.Equal(File.ReadAllText(program.Path), File.ReadAllText(copy));
        var made = File.GetLastWriteTimeUtc(copy);
        Play(program);
        Assert.Equal(made, File.GetLastWriteTimeUtc(copy));
        File.AppendAllText(copy, "exit 1\n");
        Assert.Contains(Play(program), message => message.State == FleetState.End);
        Assert.Equal(File.ReadAllText(program.Path), File.ReadAllText(copy));
        Assert.Equal([copy], Directory.GetFiles(Place));
    }

    [LinuxFact]
    public void A_program_that_needs_files_beside_it_is_refused()
    {
        var program = _folder.Write("tool", "");
        _folder.Write("tool.runtimeconfig.json", "{}");
        Assert.Equal(FleetErrors.ProgramFile, Assert.Throws<IoBenchException>(() => ProgramFile.Of(program)).ErrorId);
        Assert.Equal(FleetErrors.ProgramFile, Assert.Throws<IoBenchException>(() => ProgramFile.Of(program + "none")).ErrorId);
    }

    [LinuxFact]
    public void Detached_members_are_started_fetched_and_removed()
    {
        var hands = new FleetHands { Copy = Program($"while [ ! -e {_folder.File("go")} ]; do sleep 0.05; done") };
        const string group = "20261122-201500-ab12";
        Assert.Empty(hands.Detach(Plan("a", "b"), group, DateTimeOffset.Now.AddMinutes(1), false, CancellationToken.None));
        // A second member with the same name would overwrite the existing files.
        Assert.Contains(
            "is there already",
            Assert.Single(hands.Detach(Plan("a"), group, DateTimeOffset.Now.AddMinutes(1), false, CancellationToken.None)).Text,
            StringComparison.Ordinal
        );

        using (var early = new FetchFolder())
        {
            var (files, failures) = hands.Fetch([Host("a"), Host("b")], group, early.Path, CancellationToken.None);
            Assert.Equal(2, files.Count);
            Assert.All(failures, failure => Assert.Equal(FleetErrors.StillRuns, failure.ErrorId));
        }
        // Files of running members are not removed.
        Assert.Equal(FleetErrors.NotRemoved, Assert.Single(hands.Remove([Host("a")], null, CancellationToken.None)).ErrorId);
        Assert.Equal(2, Directory.GetFiles(Place, "*.jsonl").Length);
        _folder.Write("go", "");
        Patience.WaitFor(() => Ended(hands, group), "the members to end");
        using (var late = new FetchFolder())
        {
            var (files, failures) = hands.Fetch([Host("a"), Host("b"), Host("c")], group, late.Path, CancellationToken.None);
            Assert.Equal(["a", "b"], files.Select(file => Path.GetFileNameWithoutExtension(file)[^1..]));
            Assert.Equal(("c", FleetErrors.NotReached), (Assert.Single(failures).Host, failures[0].ErrorId));
        }
        var (own, other) = (_folder.Write("iobench.dat", "own"), Path.Combine(Place, "of-the-user.txt"));
        File.WriteAllText(other, "theirs");
        var said = new ConcurrentQueue<string>();
        Assert.Empty(new FleetHands { Copy = hands.Copy, Say = said.Enqueue }.Remove([Host("a")], _folder.Path, CancellationToken.None));
        Assert.Equal([other], Directory.GetFiles(Place));
        Assert.False(File.Exists(own));
        Assert.Contains($"a: removed {own}", said);
    }

    [LinuxFact]
    public void A_member_that_does_not_start_says_why_and_leaves_nothing()
    {
        var hands = new FleetHands { Program = _folder.File("none") };
        var failure = Assert.Single(
            hands.Detach(Plan("a"), "20261122-201500-ab12", DateTimeOffset.Now.AddMinutes(1), false, CancellationToken.None)
        );
        Assert.Equal(FleetErrors.NotReached, failure.ErrorId);
        Assert.Contains("none", failure.Text, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(Place));
    }

    [Fact]
    public void Files_of_members_have_names_that_any_file_system_takes() =>
        Assert.Equal("g.sql%5c1%2fa%3b", FleetHands.FileOf("g", Host("sql\\1/a;")));

    private static bool Ended(FleetHands hands, string group)
    {
        using var folder = new FetchFolder();
        return hands.Fetch([Host("a"), Host("b")], group, folder.Path, CancellationToken.None).Failures.Count == 0;
    }

    private static List<FleetMessage> Play(ProgramFile program)
    {
        var ear = new Ear();
        using (new ProcessTransport(null, null, program).Open(Host("a"), new FleetLaunch("g", "[]", false), ear))
            Assert.True(ear.Closed.Wait(TimeSpan.FromMinutes(2)));
        return [.. ear.Lines.Select(FleetLines.ReadMessage).OfType<FleetMessage>()];
    }

    private sealed class Ear : IFleetEar
    {
        public ConcurrentQueue<string> Lines { get; } = new();
        public ManualResetEventSlim Closed { get; } = new();

        public void Heard(ReadOnlySpan<byte> line) => Lines.Enqueue(System.Text.Encoding.UTF8.GetString(line));

        void IFleetEar.Closed(string? reason) => Closed.Set();
    }
}
