namespace IoBench.Engine;

/// <summary>A period in which no I/O of a worker completed, in nanoseconds.</summary>
/// <param name="BusySince">Time from which the worker had outstanding I/Os.</param>
internal readonly record struct WorkerStall(long From, long BusySince, long To);

internal sealed class StallLog
{
    /// <summary>In nanoseconds. Latencies of usual devices, and delays that a busy computer adds, are shorter.</summary>
    public const long Shortest = 50_000_000;

    private readonly WorkerStall[] _longest = new WorkerStall[2 * IoStall.MaxCount];
    private int _count;

    public ReadOnlySpan<WorkerStall> All => _longest.AsSpan(0, _count);

    public void Add(WorkerStall stall)
    {
        if (_count < _longest.Length)
        {
            _longest[_count++] = stall;
            return;
        }
        // At most 20 times per second, because a stall lasts at least 50 ms. So the search costs little.
        var shortest = 0;
        for (var i = 1; i < _count; i++)
            if (_longest[i].To - _longest[i].From < _longest[shortest].To - _longest[shortest].From)
                shortest = i;
        if (stall.To - stall.From > _longest[shortest].To - _longest[shortest].From)
            _longest[shortest] = stall;
    }

    public static List<WorkerStall> FindCommonStalls(IReadOnlyList<WorkerStall[]> workers, long from, long to)
    {
        List<WorkerStall> common = [];
        for (var i = 0; i < workers.Count; i++)
        {
            var next = workers[i].OrderBy(stall => stall.From).ToList();
            common = i == 0 ? next : Intersect(common, next);
        }
        return
        [
            .. common
                .Select(s => new WorkerStall(Math.Max(s.From, from), Math.Max(Math.Max(s.From, s.BusySince), from), Math.Min(s.To, to)))
                .Where(s => s.To - s.BusySince >= Shortest),
        ];
    }

    private static List<WorkerStall> Intersect(List<WorkerStall> one, List<WorkerStall> other)
    {
        List<WorkerStall> both = [];
        for (int i = 0, j = 0; i < one.Count && j < other.Count; )
        {
            var a = one[i];
            var b = other[j];
            var from = Math.Max(a.From, b.From);
            var to = Math.Min(a.To, b.To);
            if (to > from)
                both.Add(new WorkerStall(from, Math.Min(a.BusySince, b.BusySince), to));
            if (a.To < b.To)
                i++;
            else
                j++;
        }
        return both;
    }
}
