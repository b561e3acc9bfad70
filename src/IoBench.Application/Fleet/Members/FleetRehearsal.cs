using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace IoBench.Application.Fleet.Members;

/// <summary>
/// Goes the whole way of a test once, from the order to the line with its result, on the backend that does no I/O, before a member says that it is ready: what runs for
/// the first time is compiled then, and would be late by that when all begin, or keep all waiting when the first test is over. A native program needs none of it.
/// </summary>
internal static class FleetRehearsal
{
    private const long Lead = 30_000_000;
    private const int Threads = 2;

    /// <summary>Rehearses.</summary>
    /// <param name="request">What follows: paced tests take another way than those that go as fast as they can.</param>
    /// <param name="cancelled">Ends it.</param>
    public static void Run(FleetMemberRequest request, CancellationToken cancelled)
    {
        if (!RuntimeFeature.IsDynamicCodeCompiled || request.IsRehearsal || request.Tests.Count == 0)
            return;
        var test = new IoTestSpecification
        {
            Backend = NullBackend.Name,
            FileSize = 1 << 20,
            BlockSize = 8192,
            ThreadCount = Threads,
            OutstandingIO = 1,
            WarmUp = TimeSpan.Zero,
            Duration = TimeSpan.FromMilliseconds(50),
            TargetIops = request.Tests[0].TargetIops is null ? null : 500,
            NullDevice = new NullDeviceModel(1, 1),
            Targets = [new IoTargetSpecification("null")],
        };
        using var line = new Line();
        using var member = new FleetMember(
            new FleetMemberRequest
            {
                Tests = [test],
                Group = request.Group,
                Member = request.Member,
                IsRehearsal = true,
            },
            line,
            line.Hear
        );
        member.Run(cancelled);
    }

    /// <summary>The other end of the line, which says go as soon as the test is armed.</summary>
    private sealed class Line : TextReader
    {
        private readonly BlockingCollection<string> _orders = [];

        public void Hear(string line)
        {
            if (FleetLines.ReadMessage(line) is not { } message)
                return;
            if (message.State == FleetState.Ready)
                _orders.Add(
                    FleetLines.Write(
                        new FleetOrder
                        {
                            Order = FleetOrderKind.Go,
                            Test = message.Test,
                            At = message.Clock + Lead,
                        }
                    )
                );
            else if (message.State == FleetState.End)
                _orders.CompleteAdding();
        }

        public override string? ReadLine() => _orders.TryTake(out var order, Timeout.Infinite) ? order : null;
    }
}
