using System.Collections.Concurrent;
using IoBench.Application;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>
/// A member of a fleet on the host of a session. PowerShell's thread hands it orders as they come and takes the lines that it has to say; between two orders that thread
/// is free, so that the next one is read at once.
/// </summary>
public sealed class MemberCall : IDisposable
{
    /// <summary>So long the answer to an order is waited for: the question what the clock shows is answered at once.</summary>
    private static readonly TimeSpan s_answer = TimeSpan.FromMilliseconds(30);

    private static readonly TimeSpan s_longestEnd = TimeSpan.FromSeconds(10);

    // Not disposed of: a member that hangs in the system may still want to speak.
    private readonly BlockingCollection<string> _lines = [];
    private readonly OrderReader _orders = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly FleetMember _member;
    private readonly Task _run;

    private MemberCall(FleetMemberRequest request)
    {
        _member = new FleetMember(request, _orders, line => _lines.Add(line));
        _run = Task.Factory.StartNew(() => _member.Run(_stop.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    /// <summary>Starts a member.</summary>
    /// <param name="group">The group.</param>
    /// <param name="member">Its name in it.</param>
    /// <param name="plan">Its tests, as JSON.</param>
    /// <param name="force">It may use files that IoBench did not make.</param>
    public static MemberCall Begin(string group, string member, string plan, bool force) => new(new FleetMemberRequest
    {
        Group = group, Member = member, Tests = JsonResultText.ReadPlan(plan, "the plan"), IsConfirmed = true, Settings = new SuiteSettings { Force = force },
    });

    /// <summary>Takes an order, or an empty text that only asks for news.</summary>
    /// <returns>What the member has said meanwhile.</returns>
    public string[] Take(string order)
    {
        if (string.IsNullOrEmpty(order))
            return Said();
        _orders.Add(order);
        return _lines.TryTake(out var first, s_answer) ? [first, .. Said()] : [];
    }

    /// <summary>No more orders come: the member ends.</summary>
    /// <returns>Its last lines.</returns>
    public string[] End()
    {
        _orders.Complete();
        Task.WaitAny([_run], s_longestEnd);
        return Said();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _orders.Complete();
        _stop.Cancel();
        // One that hangs keeps what it needs.
        if (Task.WaitAny([_run], s_longestEnd) != 0)
            return;
        _member.Dispose();
        _stop.Dispose();
        _orders.Dispose();
    }

    private string[] Said()
    {
        var lines = new List<string>();
        while (_lines.TryTake(out var line))
            lines.Add(line);
        return [.. lines];
    }

    /// <summary>Orders as lines of a text that is still being written.</summary>
    private sealed class OrderReader : TextReader
    {
        private readonly BlockingCollection<string> _orders = [];

        public void Add(string order) => _orders.Add(order);

        public void Complete() => _orders.CompleteAdding();

        public override string? ReadLine() => _orders.TryTake(out var order, Timeout.Infinite) ? order : null;
    }
}
