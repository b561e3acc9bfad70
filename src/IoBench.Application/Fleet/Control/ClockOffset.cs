namespace IoBench.Application.Fleet.Control;

/// <summary>What a host's clocks show when ours show something: from the question that came back fastest, because its answer was made nearest to the middle.</summary>
internal sealed class ClockOffset
{
    /// <summary>Answers that are enough to judge a calendar, and the fewest for a start.</summary>
    public const int MinAnswers = 3;

    private const int MaxAnswers = 12;

    // Half of it is what a start may be off by its clock.
    private const long Quick = 5_000_000;

    private readonly List<long> _trips = [];
    private long _sent;
    private DateTimeOffset _sentTime;
    private int _number;

    /// <summary>Nanoseconds that the host's monotonic clock is ahead of ours; null before an answer.</summary>
    public long? Nanoseconds { get; private set; }

    /// <summary>How far its calendar is ahead of ours; null before an answer.</summary>
    public TimeSpan? Calendar { get; private set; }

    /// <summary>Nanoseconds of the fastest way there and back; the offset is known to half of it.</summary>
    public long RoundTrip { get; private set; } = long.MaxValue;

    /// <summary>Answers in this round.</summary>
    public int Answers => _trips.Count;

    /// <summary>
    /// Whether more answers would not help: the fastest was quick, or as many as are needed took about as long, which is a long way and not a busy machine.
    /// </summary>
    public bool IsSettled =>
        Answers >= MaxAnswers
        || (Answers >= MinAnswers && (RoundTrip <= Quick || _trips.Count(trip => trip <= RoundTrip * 5 / 4) >= MinAnswers));

    /// <summary>Begins a new round: clocks drift apart.</summary>
    public void Restart()
    {
        RoundTrip = long.MaxValue;
        _trips.Clear();
    }

    /// <summary>A question to be sent now.</summary>
    public FleetOrder Ask(long now, DateTimeOffset time)
    {
        (_sent, _sentTime) = (now, time);
        return new FleetOrder { Order = FleetOrderKind.Clock, Number = ++_number };
    }

    /// <summary>Takes an answer; false for one that was given before.</summary>
    public bool Take(FleetMessage answer, long now)
    {
        if (answer is not { Clock: { } clock } || answer.Number != _number || _sent == 0)
            return false;
        var trip = now - _sent;
        _trips.Add(trip);
        if (trip < RoundTrip)
        {
            RoundTrip = trip;
            Nanoseconds = clock - (_sent + trip / 2);
            Calendar = answer.Time - (_sentTime + TimeSpan.FromTicks(trip / 200));
        }
        _sent = 0;
        return true;
    }
}
