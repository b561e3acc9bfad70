namespace IoBench.Engine.Integrity;

/// <summary>The errors that a run's checks found: all counted, the first in detail. Its gate keeps one judgement at a time.</summary>
internal sealed class IntegrityLog
{
    // A write that went astray is reported as lost first, if its own place is read before the other: so many of them are remembered.
    private const int MaxRemembered = 100_000;

    private readonly long[] _counts = new long[Enum.GetValues<IoIntegrityErrorKind>().Length];
    private readonly long[] _phases = new long[Enum.GetValues<IoIntegrityPhase>().Length];
    private readonly List<IoIntegrityError> _details = [];
    private readonly Dictionary<(int Target, ulong Number), IoIntegrityError?> _lost = [];
    private readonly HashSet<(int Target, ulong Number)> _astray = [];
    private readonly HashSet<(int Target, long Group, ulong Number, ulong Sum)> _told = [];
    private readonly HashSet<(int Target, long Group, ulong Number, ulong Sum)> _likely = [];
    private long _count;
    private long _unjudged;

    /// <summary>Held while something is judged.</summary>
    public object Gate { get; } = new();

    /// <summary>Groups that could not be judged.</summary>
    public long Unjudged => Volatile.Read(ref _unjudged);

    /// <summary>All errors so far.</summary>
    public long Count => Volatile.Read(ref _count);

    /// <summary>Called with each error in detail, by the thread that found it.</summary>
    public Action<IoIntegrityError>? Found { get; init; }

    /// <summary>Numbers of the targets with errors.</summary>
    public HashSet<int> Targets { get; } = [];

    /// <summary>Errors of a phase.</summary>
    public long CountOf(IoIntegrityPhase phase) => _phases[(int)phase];

    /// <summary>Groups could not be judged.</summary>
    public void AddUnjudged(long count) => Interlocked.Add(ref _unjudged, count);

    /// <summary>Whether damage that lasts was reported already: a read that was on its way meanwhile brings it again. Other bytes are other damage.</summary>
    /// <param name="target">Number of the target.</param>
    /// <param name="number">Number of the write that should be there.</param>
    /// <param name="sum">Checksum of what was found.</param>
    public bool IsTold(int target, long group, ulong number, ulong sum) => _told.Contains((target, group, number, sum));

    /// <summary>Whether damage was reported while this write was on its way: it is the same one if it lasts.</summary>
    /// <param name="target">Number of the target.</param>
    /// <param name="number">Number of the write that should be there.</param>
    /// <param name="sum">Checksum of what was found.</param>
    public bool IsLikelyTold(int target, long group, ulong number, ulong sum) => _likely.Contains((target, group, number, sum));

    /// <summary>Whether a write was found at another place already: what its own place lacks is that same fault.</summary>
    /// <param name="target">Number of the target.</param>
    /// <param name="number">Number of the write.</param>
    public bool IsAstray(int target, ulong number) => _astray.Contains((target, number));

    /// <summary>Remembers that damage which lasts is reported.</summary>
    /// <param name="target">Number of the target.</param>
    /// <param name="number">Number of the write that should be there.</param>
    /// <param name="sum">Checksum of what is there.</param>
    /// <param name="isOnItsWay">The write was not acknowledged yet.</param>
    public void Remember(int target, long group, ulong number, ulong sum, bool isOnItsWay)
    {
        var set = isOnItsWay ? _likely : _told;
        if (set.Count < MaxRemembered)
            set.Add((target, group, number, sum));
    }

    /// <summary>Notes an error.</summary>
    /// <param name="error">What was found.</param>
    /// <param name="target">Number of the target.</param>
    /// <param name="number">Number of the write that should be there, 0 = none of this run.</param>
    public void Add(IoIntegrityError error, int target, ulong number)
    {
        Targets.Add(target);
        _counts[(int)error.Kind]++;
        _phases[(int)error.Phase]++;
        Interlocked.Increment(ref _count);
        Found?.Invoke(error);
        if (_details.Count < IoIntegrity.MaxDetails)
            _details.Add(error);
        if (error.Kind == IoIntegrityErrorKind.LostWrite && number != 0 && _lost.Count < MaxRemembered)
            _lost[(target, number)] = error;
    }

    /// <summary>Notes that a write was found at another place than its own: once, and in place of the loss that its own place had reported.</summary>
    /// <param name="error">What was found.</param>
    /// <param name="target">Number of the target.</param>
    /// <param name="number">Number of the write.</param>
    public void AddAstray(IoIntegrityError error, int target, ulong number)
    {
        if (_astray.Count < MaxRemembered && !_astray.Add((target, number)))
            return;
        if (!_lost.Remove((target, number), out var lost) || lost is null)
        {
            Add(error, target, number);
            return;
        }
        _counts[(int)IoIntegrityErrorKind.LostWrite]--;
        _counts[(int)IoIntegrityErrorKind.MisdirectedWrite]++;
        (lost.Kind, lost.Found) = (IoIntegrityErrorKind.MisdirectedWrite, error.Found);
        Found?.Invoke(lost);
    }

    /// <summary>The result so far.</summary>
    public IoIntegrity ToResult() =>
        new()
        {
            ErrorCount = _count,
            UnjudgedCount = Unjudged,
            ErrorsByKind =
            [
                .. _counts
                    .Select((count, kind) => new IoIntegrityCount { Kind = (IoIntegrityErrorKind)kind, Count = count })
                    .Where(c => c.Count > 0),
            ],
            Errors = [.. _details],
        };
}
