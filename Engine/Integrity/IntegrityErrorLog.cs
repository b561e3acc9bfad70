namespace IoBench.Engine;

/// <summary>Counts all errors, details the first ones. Hold <see cref="SyncRoot"/> while classifying.</summary>
internal sealed class IntegrityErrorLog
{
    // A misdirected write is first reported as lost if its own offset is read first. Limits how many such writes are remembered.
    private const int MaxMisdirectedWrites = 100_000;

    private readonly long[] _counts = new long[Enum.GetValues<IoIntegrityErrorKind>().Length];
    private readonly long[] _phases = new long[Enum.GetValues<IoIntegrityPhase>().Length];
    private readonly List<IoIntegrityError> _details = [];
    private readonly Dictionary<(int Target, ulong Number), IoIntegrityError?> _lostWrites = [];
    private readonly HashSet<(int Target, ulong Number)> _misdirectedWrites = [];
    private readonly HashSet<(int Target, long Group, ulong Number, ulong Sum)> _reported = [];
    private readonly HashSet<(int Target, long Group, ulong Number, ulong Sum)> _possiblePending = [];
    private readonly List<(int Target, IoUnverifiedContent Content)> _unverified = [];
    private long _count;
    private long _unverifiedCount;
    private long _errorBytes;

    public object SyncRoot { get; } = new();

    public long UnverifiedCount => Volatile.Read(ref _unverifiedCount);

    public long Count => Volatile.Read(ref _count);

    /// <summary>Called on the thread that found the error; null = not reported.</summary>
    public Action<IoIntegrityError>? ErrorFound { get; init; }

    /// <summary>Whether another program changed a target during the test, so that an error is not the storage's; null = not
    /// checked.</summary>
    public Func<int, bool>? IsChangedOutside { get; init; }

    public HashSet<int> FailedTargets { get; } = [];

    public long GetCount(IoIntegrityPhase phase) => _phases[(int)phase];

    public void AddUnverified(long count) => Interlocked.Add(ref _unverifiedCount, count);

    /// <summary>A concurrent read finds the same damage again. Other bytes are other damage.</summary>
    public bool IsReported(int target, long group, ulong number, ulong sum) => _reported.Contains((target, group, number, sum));

    /// <summary>If damage that was reported while its write was pending persists, it is the same damage.</summary>
    public bool IsReportedForPendingWrite(int target, long group, ulong number, ulong sum) =>
        _possiblePending.Contains((target, group, number, sum));

    public bool IsMisdirected(int target, ulong number) => _misdirectedWrites.Contains((target, number));

    public void MarkReported(int target, long group, ulong number, ulong sum, bool isPending)
    {
        var set = isPending ? _possiblePending : _reported;
        if (set.Count < MaxMisdirectedWrites)
            set.Add((target, group, number, sum));
    }

    /// <summary>Adds content that could not be verified. Hold <see cref="SyncRoot"/>.</summary>
    public void AddUnverified(int target, IoUnverifiedContent content)
    {
        var known = _unverified.Find(u => u.Target == target && u.Content.Reason == content.Reason).Content;
        if (known is null)
        {
            _unverified.Add((target, content));
            return;
        }
        known.ByteCount += content.ByteCount;
        known.Offset = Math.Min(known.Offset, content.Offset);
    }

    public long GetUnverifiedBytes(int target) => _unverified.Where(u => u.Target == target).Sum(u => u.Content.ByteCount);

    /// <summary>Adds an error of the storage, or, if another program changed the target, content that could not be verified.</summary>
    public void Add(IoIntegrityError error, int target, ulong number)
    {
        if (IsChangedOutside?.Invoke(target) == true)
        {
            AddUnverified(
                target,
                new IoUnverifiedContent
                {
                    Path = error.Path,
                    Reason = IoUnverifiedReason.WrittenDuringTest,
                    ByteCount = error.Length,
                    Offset = error.Offset,
                }
            );
            return;
        }
        FailedTargets.Add(target);
        _counts[(int)error.Kind]++;
        _phases[(int)error.Phase]++;
        _errorBytes += error.Length;
        Interlocked.Increment(ref _count);
        ErrorFound?.Invoke(error);
        if (_details.Count < IoIntegrity.MaxDetails)
            _details.Add(error);
        if (error.Kind == IoIntegrityErrorKind.LostWrite && number != 0 && _lostWrites.Count < MaxMisdirectedWrites)
            _lostWrites[(target, number)] = error;
    }

    /// <summary>Reports a write at a wrong offset once. Replaces the report of its loss, if there is one.</summary>
    public void AddMisdirected(IoIntegrityError error, int target, ulong number)
    {
        if (_misdirectedWrites.Count < MaxMisdirectedWrites && !_misdirectedWrites.Add((target, number)))
            return;
        if (!_lostWrites.Remove((target, number), out var lost) || lost is null)
        {
            Add(error, target, number);
            return;
        }
        _counts[(int)IoIntegrityErrorKind.LostWrite]--;
        _counts[(int)IoIntegrityErrorKind.MisdirectedWrite]++;
        lost.Kind = IoIntegrityErrorKind.MisdirectedWrite;
        lost.Found = error.Found;
        ErrorFound?.Invoke(lost);
    }

    public IoIntegrity ToResult() =>
        new()
        {
            ErrorCount = _count,
            ErrorBytes = _errorBytes,
            UnjudgedCount = UnverifiedCount,
            ErrorsByKind =
            [
                .. _counts
                    .Select((count, kind) => new IoIntegrityCount { Kind = (IoIntegrityErrorKind)kind, Count = count })
                    .Where(c => c.Count > 0),
            ],
            Errors = [.. _details],
            Unverified = [.. _unverified.Select(u => u.Content)],
        };
}
