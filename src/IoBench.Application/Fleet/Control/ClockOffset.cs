namespace IoBench.Application;

/// <summary>Clock difference between a host and the controller. The answer with the shortest round trip counts, because its time is known
/// best.</summary>
internal sealed class ClockOffset
{
    /// <summary>Number of answers that are enough to check the calendar, and the minimum for a start.</summary>
    public const int MinAnswers = 3;

    private const int MaxAnswers = 12;

    // Nanoseconds. A synchronized start can be wrong by half of the round trip.
    private const long FastRoundTrip = 5_000_000;

    private readonly List<long> _roundTrips = [];
    private long _sent;
    private DateTimeOffset _sentTime;
    private int _number;

    /// <summary>Nanoseconds by which the monotonic clock of the host is ahead of the controller's; null before the first answer.</summary>
    public long? Nanoseconds { get; private set; }

    /// <summary>Time by which the calendar of the host is ahead of the controller's; null before the first answer.</summary>
    public TimeSpan? CalendarOffset { get; private set; }

    /// <summary>Shortest round trip in nanoseconds. The offset is known to half of it.</summary>
    public long RoundTrip { get; private set; } = long.MaxValue;

    public int Answers => _roundTrips.Count;

    /// <summary>True if the shortest round trip is fast, or if enough round trips took about as long, so that the connection itself is
    /// slow.</summary>
    public bool IsSettled =>
        Answers >= MaxAnswers
        || (Answers >= MinAnswers && (RoundTrip <= FastRoundTrip || _roundTrips.Count(trip => trip <= RoundTrip * 5 / 4) >= MinAnswers));

    /// <summary>Starts a new round of questions, because clocks drift apart.</summary>
    public void StartRound()
    {
        RoundTrip = long.MaxValue;
        _roundTrips.Clear();
    }

    public ControllerCommand CreateQuestion(long now, DateTimeOffset time)
    {
        _sent = now;
        _sentTime = time;
        return new ControllerCommand { Order = ControllerCommandKind.Clock, Number = ++_number };
    }

    /// <summary>Adds an answer; returns false if it does not belong to the last question.</summary>
    public bool AddAnswer(MemberMessage answer, long now)
    {
        if (answer is not { Clock: { } clock } || answer.Number != _number || _sent == 0)
            return false;
        var trip = now - _sent;
        _roundTrips.Add(trip);
        if (trip < RoundTrip)
        {
            RoundTrip = trip;
            Nanoseconds = clock - (_sent + trip / 2);
            CalendarOffset = answer.Time - (_sentTime + TimeSpan.FromTicks(trip / 200));
        }
        _sent = 0;
        return true;
    }
}
