using System.Collections.Concurrent;

namespace IoBench.Application.Tests;

/// <summary>The line to a member in this process: what it prints, and orders to it.</summary>
internal sealed class MemberLine : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    private readonly BlockingCollection<string> _orders = [];
    private readonly BlockingCollection<FleetMessage> _said = [];

    public MemberLine() => Orders = new OrderReader(_orders);

    public TextReader Orders { get; }

    public void Print(string line) => _said.Add(FleetLines.ReadMessage(line)!);

    public void Send(FleetOrder order) => _orders.Add(FleetLines.Write(order));

    /// <summary>Lets a test that is ready begin at once.</summary>
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

    /// <summary>The next message of a state; others are passed over.</summary>
    public FleetMessage Take(FleetState state)
    {
        while (_said.TryTake(out var message, s_patience))
            if (message.State == state)
                return message;
        throw new TimeoutException($"No {state} came.");
    }

    /// <summary>What was said and not taken.</summary>
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
