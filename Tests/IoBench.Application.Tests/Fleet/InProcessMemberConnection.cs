using System.Collections.Concurrent;

namespace IoBench.Application.Tests;

internal sealed class InProcessMemberConnection : IDisposable
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(60);

    private readonly BlockingCollection<string> _orders = [];
    private readonly BlockingCollection<MemberMessage> _messages = [];

    public string? ReadCommand() => _orders.TryTake(out var line, Timeout.Infinite) ? line : null;

    public void AddLine(string line) => _messages.Add(FleetMessageSerializer.ParseMessage(line)!);

    public void SendCommand(ControllerCommand order) => _orders.Add(FleetMessageSerializer.Serialize(order));

    public void StartTest(MemberMessage ready) =>
        SendCommand(
            new ControllerCommand
            {
                Order = ControllerCommandKind.Go,
                Test = ready.Test,
                At = ready.Clock,
                Hosts = ["sql1"],
            }
        );

    public void CloseInput() => _orders.CompleteAdding();

    /// <summary>Waits for the next message of the specified kind and skips others.</summary>
    public MemberMessage WaitForMessage(MemberMessageKind state)
    {
        while (_messages.TryTake(out var message, s_timeout))
            if (message.State == state)
                return message;
        throw new TimeoutException($"No {state} came.");
    }

    public List<MemberMessage> TakeRemaining()
    {
        var rest = new List<MemberMessage>();
        while (_messages.TryTake(out var message))
            rest.Add(message);
        return rest;
    }

    public void Dispose()
    {
        if (!_orders.IsAddingCompleted)
            _orders.CompleteAdding();
    }
}
