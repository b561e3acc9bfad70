namespace IoBench.Engine.Measurement;

/// <summary>A time in which no I/O of a worker came back, in nanoseconds.</summary>
/// <param name="From">When the last one came back before it.</param>
/// <param name="BusySince">From when on the worker had I/Os in flight: the storage's silence, not the worker's.</param>
/// <param name="To">When the next one came back.</param>
internal readonly record struct Silence(long From, long BusySince, long To);

/// <summary>The longest silences of a worker. What is shorter than <see cref="Shortest"/> is none.</summary>
internal sealed class SilenceLog
{
    /// <summary>In nanoseconds. Below it lie what usual devices take, and what a busy computer adds.</summary>
    public const long Shortest = 50_000_000;

    private readonly Silence[] _longest = new Silence[2 * IoSilence.MaxCount];
    private int _count;

    /// <summary>Those it has, in no order.</summary>
    public ReadOnlySpan<Silence> All => _longest.AsSpan(0, _count);

    /// <summary>Adds one; the shortest makes room.</summary>
    public void Add(Silence silence)
    {
        if (_count < _longest.Length)
        {
            _longest[_count++] = silence;
            return;
        }
        // At most twenty times per second: a search costs nothing that matters.
        var shortest = 0;
        for (var i = 1; i < _count; i++)
            if (_longest[i].To - _longest[i].From < _longest[shortest].To - _longest[shortest].From)
                shortest = i;
        if (silence.To - silence.From > _longest[shortest].To - _longest[shortest].From)
            _longest[shortest] = silence;
    }

    /// <summary>The times in which all of several workers were silent while one of them at least had I/Os in flight, in order.</summary>
    /// <param name="workers">Each worker's silences, in any order.</param>
    /// <param name="from">Beginning of the time that counts.</param>
    /// <param name="to">Its end.</param>
    public static List<Silence> Common(IReadOnlyList<Silence[]> workers, long from, long to)
    {
        List<Silence> common = [];
        for (var i = 0; i < workers.Count; i++)
        {
            var next = workers[i].OrderBy(silence => silence.From).ToList();
            common = i == 0 ? next : Intersect(common, next);
        }
        return
        [
            .. common
                .Select(s => new Silence(Math.Max(s.From, from), Math.Max(Math.Max(s.From, s.BusySince), from), Math.Min(s.To, to)))
                .Where(s => s.To - s.BusySince >= Shortest),
        ];
    }

    private static List<Silence> Intersect(List<Silence> one, List<Silence> other)
    {
        List<Silence> both = [];
        for (int i = 0, j = 0; i < one.Count && j < other.Count; )
        {
            var (a, b) = (one[i], other[j]);
            var (from, to) = (Math.Max(a.From, b.From), Math.Min(a.To, b.To));
            if (to > from)
                both.Add(new Silence(from, Math.Min(a.BusySince, b.BusySince), to));
            if (a.To < b.To)
                i++;
            else
                j++;
        }
        return both;
    }
}
