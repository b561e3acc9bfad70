using System.Collections.Concurrent;
using IoBench.Engine;

namespace IoBench.Application.Tests;

/// <summary>Runs the scripts in local processes instead of on hosts, with a shell script as the program.</summary>
public sealed class DetachedFleetCommandsTests : IDisposable
{
    private readonly TemporaryFleetFolder _folder = new();
    private readonly string? _cache = Environment.GetEnvironmentVariable("XDG_CACHE_HOME");

    // Only these tests use the folder of copied programs, so no other test reads this variable.
    public DetachedFleetCommandsTests() => Environment.SetEnvironmentVariable("XDG_CACHE_HOME", _folder.GetPath("cache"));

    public void Dispose()
    {
        Environment.SetEnvironmentVariable("XDG_CACHE_HOME", _cache);
        _folder.Dispose();
    }

    private string Place => _folder.GetPath("cache/iobench/fleet");

    private static FleetHost CreateHost(string name) => new() { Name = name, Transport = FleetTransportKind.Local };

    /// <summary>Creates a program that sends a hello message like a member, runs the specified commands, and ends.</summary>
    private ProgramFile CreateProgram(string does = "") =>
        ProgramFile.FromPath(
            _folder.WriteFile(
                "iobench",
                $$"""
                #!/bin/sh
                if [ "$1" = remove ]; then shift; rm "$@"; exit; fi
                echo '{"state":"Hello","member":"a","group":"g","count":1,"version":"{{new FleetOptions
                {
                    Group = "",
                }.Version}}","time":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'"}'
                {{does}}
                echo '{"state":"End"}'
                """
            )
        );

    private static FleetPlan CreatePlan(params string[] hosts) =>
        FleetPlan.Create([.. hosts.Select(CreateHost)], "/data/a.dat", () => new PlanRequest());

    [Theory]
    [InlineData("../elsewhere")]
    [InlineData("/etc/group")]
    [InlineData("")]
    public void Group_name_with_a_path_throws(string group)
    {
        var error = Assert.Throws<IoBenchException>(() =>
            new DetachedFleet().FetchOutput([CreateHost("a")], group, _folder.GetPath("."), CancellationToken.None)
        );
        Assert.Equal(FleetErrorIds.NoFleet, error.ErrorId);
    }

    [LinuxFact]
    public void Program_is_copied_once_and_replaced_if_damaged()
    {
        var program = CreateProgram();
        var copy = Path.Combine(Place, "iobench-" + program.Hash);
        Assert.Contains(RunMember(program), message => message.State == MemberMessageKind.Hello);
        Assert.Equal(File.ReadAllText(program.Path), File.ReadAllText(copy));
        var made = File.GetLastWriteTimeUtc(copy);
        RunMember(program);
        Assert.Equal(made, File.GetLastWriteTimeUtc(copy));
        File.AppendAllText(copy, "exit 1\n");
        Assert.Contains(RunMember(program), message => message.State == MemberMessageKind.End);
        Assert.Equal(File.ReadAllText(program.Path), File.ReadAllText(copy));
        Assert.Equal([copy], Directory.GetFiles(Place));
    }

    [LinuxFact]
    public void Program_that_requires_other_files_throws()
    {
        var program = _folder.WriteFile("tool", "");
        _folder.WriteFile("tool.runtimeconfig.json", "{}");
        Assert.Equal(FleetErrorIds.ProgramFile, Assert.Throws<IoBenchException>(() => ProgramFile.FromPath(program)).ErrorId);
        Assert.Equal(FleetErrorIds.ProgramFile, Assert.Throws<IoBenchException>(() => ProgramFile.FromPath(program + "none")).ErrorId);
    }

    [LinuxFact]
    public void Detached_members_are_started_and_their_output_fetched_and_removed()
    {
        var hands = new DetachedFleet { Copy = CreateProgram($"while [ ! -e {_folder.GetPath("go")} ]; do sleep 0.05; done") };
        const string group = "20261122-201500-ab12";
        Assert.Empty(hands.StartMembers(CreatePlan("a", "b"), group, DateTimeOffset.Now.AddMinutes(1), CancellationToken.None));
        // A second member with the same name would overwrite the existing files.
        Assert.Contains(
            "is there already",
            Assert.Single(hands.StartMembers(CreatePlan("a"), group, DateTimeOffset.Now.AddMinutes(1), CancellationToken.None)).Text,
            StringComparison.Ordinal
        );

        using (var early = new TemporaryFetchFolder())
        {
            var (files, failures) = hands.FetchOutput([CreateHost("a"), CreateHost("b")], group, early.Path, CancellationToken.None);
            Assert.Equal(2, files.Count);
            Assert.All(failures, failure => Assert.Equal(FleetErrorIds.StillRuns, failure.ErrorId));
        }
        // Files of running members are not removed.
        Assert.Equal(FleetErrorIds.NotRemoved, Assert.Single(hands.RemoveFiles([CreateHost("a")], null, CancellationToken.None)).ErrorId);
        Assert.Equal(2, Directory.GetFiles(Place, "*.jsonl").Length);
        _folder.WriteFile("go", "");
        TestTimeouts.WaitUntil(() => HasEnded(hands, group), "the members to end");
        using (var late = new TemporaryFetchFolder())
        {
            var (files, failures) = hands.FetchOutput(
                [CreateHost("a"), CreateHost("b"), CreateHost("c")],
                group,
                late.Path,
                CancellationToken.None
            );
            Assert.Equal(["a", "b"], files.Select(file => Path.GetFileNameWithoutExtension(file)[^1..]));
            Assert.Equal(("c", FleetErrorIds.NotReached), (Assert.Single(failures).Host, failures[0].ErrorId));
        }
        var (own, other) = (_folder.WriteFile("iobench.dat", "own"), Path.Combine(Place, "of-the-user.txt"));
        File.WriteAllText(other, "theirs");
        var said = new ConcurrentQueue<string>();
        Assert.Empty(
            new DetachedFleet { Copy = hands.Copy, Say = said.Enqueue }.RemoveFiles([CreateHost("a")], _folder.Path, CancellationToken.None)
        );
        Assert.Equal([other], Directory.GetFiles(Place));
        Assert.False(File.Exists(own));
        Assert.Contains($"a: removed {own}", said);
    }

    [LinuxFact]
    public void Member_that_does_not_start_reports_the_reason_and_leaves_no_files()
    {
        var hands = new DetachedFleet { Program = _folder.GetPath("none") };
        var failure = Assert.Single(
            hands.StartMembers(CreatePlan("a"), "20261122-201500-ab12", DateTimeOffset.Now.AddMinutes(1), CancellationToken.None)
        );
        Assert.Equal(FleetErrorIds.NotReached, failure.ErrorId);
        Assert.Contains("none", failure.Text, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(Place));
    }

    [Fact]
    public void Member_file_names_are_escaped_for_any_file_system() =>
        Assert.Equal("g.sql%5c1%2fa%3b", DetachedFleet.GetFileName("g", CreateHost("sql\\1/a;")));

    private static bool HasEnded(DetachedFleet hands, string group)
    {
        using var folder = new TemporaryFetchFolder();
        return hands.FetchOutput([CreateHost("a"), CreateHost("b")], group, folder.Path, CancellationToken.None).Failures.Count == 0;
    }

    private static List<MemberMessage> RunMember(ProgramFile program)
    {
        var ear = new MessageRecorder();
        using (new ProcessTransport(null, null, program).Open(CreateHost("a"), new MemberStartInfo("g", "[]"), ear))
            Assert.True(ear.Closed.Wait(TimeSpan.FromMinutes(2)));
        return [.. ear.Lines.Select(FleetMessageSerializer.ParseMessage).OfType<MemberMessage>()];
    }

    private sealed class MessageRecorder : IFleetMessageHandler
    {
        public ConcurrentQueue<string> Lines { get; } = new();
        public ManualResetEventSlim Closed { get; } = new();

        public void OnLine(ReadOnlySpan<byte> line) => Lines.Enqueue(System.Text.Encoding.UTF8.GetString(line));

        void IFleetMessageHandler.OnClosed(string? reason) => Closed.Set();
    }
}
