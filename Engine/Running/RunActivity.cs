using System.Globalization;

namespace IoBench.Engine;

/// <summary>
/// What a run's own thread does outside of the test's I/O: looks at files, opens, fills, proves and closes them. Each of these calls can hang with a disk
/// that does not answer; whoever cancels the run is told what hangs and is not kept waiting.
/// </summary>
internal sealed class RunActivity
{
    /// <summary>How long an activity may go on after the run was cancelled. With the looks of the clock it stays below 2 s.</summary>
    private static readonly long s_patience = Clock.Nanoseconds(TimeSpan.FromSeconds(1.5));

    private volatile Entry? _now;

    /// <summary>Something begins.</summary>
    /// <param name="what">What it is, to stand before "has been going on": <c>the check</c>.</param>
    /// <param name="path">The file it is about, when asked; null when none can be named.</param>
    public void Begin(string what, Func<string?> path) => _now = new Entry(what, path, Clock.Now);

    /// <summary>It is over.</summary>
    public void End() => _now = null;

    /// <summary>What hangs, for people; null when nothing does.</summary>
    /// <param name="now">The time.</param>
    /// <param name="cancelled">When the run was cancelled.</param>
    public string? Hung(long now, long cancelled)
    {
        if (_now is not { } entry || now - Math.Max(cancelled, entry.Began) < s_patience)
            return null;
        return string.Create(CultureInfo.InvariantCulture,
            $"{entry.Path() ?? "A file of the run"} did not answer: {entry.What} has been waiting for {Math.Max(1, (now - entry.Began) / 1e9):0} s. It stays in use until that call returns or this process ends; a mark that was open stays open.");
    }

    private sealed record Entry(string What, Func<string?> Path, long Began);
}
