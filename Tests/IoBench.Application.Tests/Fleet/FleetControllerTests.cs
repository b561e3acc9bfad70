using System.Collections.Concurrent;
using System.Text;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public class FleetControllerTests
{
    /// <summary>A prompt or a slow pipeline can block the front end for longer than the host timeout.</summary>
    [Fact]
    public void Host_is_not_lost_while_the_observer_blocks()
    {
        using var members = new AnsweringMembers();
        var observer = new BlockingObserver(members);
        using var spool = ResultSpool.Create("g", null);
        var options = new FleetOptions
        {
            Group = "g",
            Version = null,
            IsSynchronized = false,
            HostTimeout = TimeSpan.FromSeconds(5),
        };
        HostWorkload[] work = [.. new[] { "sql1", "sql2" }.Select(name => new HostWorkload(new FleetHost { Name = name }, [new()]))];
        new FleetController(options, members.Start, observer) { Spool = spool }.Run(work, CancellationToken.None);
        Assert.Empty(observer.Failures);
        Assert.Equal(["sql1", "sql2"], observer.Results.Order());
    }

    /// <summary>Blocks at the first note until the host timeout is over and each member has received a keep-alive.</summary>
    private sealed class BlockingObserver(AnsweringMembers members) : IFleetObserver
    {
        public List<string> Results { get; } = [];
        public List<FleetFailure> Failures { get; } = [];

        public void OnNote(FleetHost host, MemberMessage note)
        {
            Thread.Sleep(TimeSpan.FromSeconds(6));
            members.WaitForKeepAlives();
            members.SendResults();
        }

        public void OnResult(FleetHost host, IoTestResult result) => Results.Add(host.Name);

        public void OnFailure(FleetFailure failure) => Failures.Add(failure);
    }

    private sealed class AnsweringMembers : IDisposable
    {
        private readonly Dictionary<string, Action<ReadOnlyMemory<byte>>> _members = [];
        private readonly BlockingCollection<string> _keepAlives = [];

        public IMemberConnection Start(HostWorkload work, string group, Action<ReadOnlyMemory<byte>> onLine, Action<string?> onClosed)
        {
            _members.Add(work.Host.Name, onLine);
            Send(work.Host.Name, new MemberMessage { State = MemberMessageKind.Hello });
            if (_members.Count == 2)
                Send("sql1", new MemberMessage { State = MemberMessageKind.Note, Text = "ready" });
            return new Connection(work.Host.Name, _keepAlives);
        }

        public void WaitForKeepAlives()
        {
            HashSet<string> missing = [.. _members.Keys];
            while (missing.Count > 0)
            {
                Assert.True(_keepAlives.TryTake(out var name, TimeSpan.FromSeconds(60)), "No keep-alive came.");
                missing.Remove(name);
            }
        }

        public void SendResults()
        {
            foreach (var name in _members.Keys)
            {
                Send(
                    name,
                    new MemberMessage
                    {
                        State = MemberMessageKind.Done,
                        Test = 1,
                        Result = JsonResultSerializer.SerializeToElement(new IoTestResult { Status = IoResultStatus.Complete }),
                    }
                );
                Send(name, new MemberMessage { State = MemberMessageKind.End });
            }
        }

        public void Dispose() => _keepAlives.Dispose();

        private void Send(string name, MemberMessage message) =>
            _members[name](Encoding.UTF8.GetBytes(FleetMessageSerializer.Serialize(message)));
    }

    private sealed class Connection(string name, BlockingCollection<string> keepAlives) : IMemberConnection
    {
        public void Send(string line)
        {
            if (FleetMessageSerializer.ParseCommand(line)?.Order == ControllerCommandKind.Alive)
                keepAlives.Add(name);
        }

        public void Close() { }

        public void Dispose() { }
    }
}
