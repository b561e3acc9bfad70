using System.Collections.Concurrent;

namespace IoBench.Application.Tests;

internal sealed class MemberLine : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    private readonly BlockingCollection<string> _orders = [];
    private readonly BlockingCollection<FleetMessage> _said = [];

    public MemberLine() => Orders = new OrderReader(_orders);

    public TextReader Orders { get; }

    public void Print(string line) => _said.Add(FleetLines.ReadMessage(line)!);

    public void Send(FleetOrder order) => _orders.Add(FleetLines.Write(order));

    public void Go(FleetMessage ready) =>
        Send(
            new FleetOrder
            {
                Order = FleetOrderKind.Go,
                Test = ready.Test,
                At = ready.Clock,
                Hosts = ["sql1"],
            }
        );

    public void Close() => _orders.CompleteAdding();

    /// <summary>Waits for the next message of the specified kind and skips others.</summary>
    public FleetMessage Take(FleetState state)
    {
        while (_said.TryTake(out var message, s_patience))
            if (message.State == state)
                return message;
        throw new TimeoutException($"No {state} came.");
    }

    public List<FleetMessage> Rest()
    {
        var rest = new List<FleetMessage>();
        while (_said.TryTake(out var message))
            rest.Add(message);
        return rest;
    }

    public void Dispose()
    {
        if (!_orders.IsAddingCompleted)
            _orders.CompleteAdding();
    }

    private sealed class OrderReader(BlockingCollection<string> orders) : TextReader
    {
        public override string? ReadLine() => orders.TryTake(out var line, Timeout.Infinite) ? line : null;
    }
}
