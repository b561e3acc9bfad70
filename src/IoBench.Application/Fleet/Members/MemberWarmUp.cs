using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Runs one short test without I/O before the member reports that it is ready. Otherwise, the JIT compiler would delay the
/// synchronized start on all hosts. The warm-up has a target rate if the first test has one, because such tests take another code
/// path.</summary>
internal static class MemberWarmUp
{
    private const long Lead = 30_000_000;
    private const int Threads = 2;

    public static void WarmUp(FleetMemberRequest request, CancellationToken cancelled)
    {
        if (!RuntimeFeature.IsDynamicCodeCompiled || request.IsWarmUp || request.Tests.Count == 0)
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
        using var line = new LoopbackReader();
        using var member = new FleetMember(
            new FleetMemberRequest
            {
                Tests = [test],
                Group = request.Group,
                Member = request.Member,
                IsWarmUp = true,
            },
            line,
            line.OnMessage
        );
        member.Run(cancelled);
    }

    private sealed class LoopbackReader : TextReader
    {
        private readonly BlockingCollection<string> _commands = [];

        public void OnMessage(string line)
        {
            if (FleetMessageSerializer.ParseMessage(line) is not { } message)
                return;
            if (message.State == MemberMessageKind.Ready)
                _commands.Add(
                    FleetMessageSerializer.Serialize(
                        new ControllerCommand
                        {
                            Order = ControllerCommandKind.Go,
                            Test = message.Test,
                            At = message.Clock + Lead,
                        }
                    )
                );
            else if (message.State == MemberMessageKind.End)
                _commands.CompleteAdding();
        }

        public override string? ReadLine() => _commands.TryTake(out var command, Timeout.Infinite) ? command : null;
    }
}
