using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Says of a running test that an I/O hangs: after 1, 5 and 15 seconds and then each minute, and that I/Os come back again.</summary>
public sealed class HangWatch
{
    private const int MostShortOnes = 3;
    private const double RepeatSeconds = 60;

    /// <summary>After 15 s SQL Server reports an I/O as error 833.</summary>
    private static readonly double[] s_steps = [1, 5, 15];

    private bool _isLook;
    private int _said;
    private int _shortOnes;
    private double _longest;

    /// <summary>The same of a look at a file before a test: a disk that does not answer holds that too.</summary>
    /// <param name="path">The file.</param>
    /// <param name="seconds">How long the look has taken; null when it is over.</param>
    public IoWarning? LookAt(string path, double? seconds)
    {
        _isLook = true;
        return Look(seconds is >= 1 and { } waited ? new WaitingIO(IoRequestKind.Read, path, 0, 0, waited, 1) : null, "a check of");
    }

    /// <summary>What is to be said now; null = nothing.</summary>
    /// <param name="waiting">The I/O that has been out longest; null when all come back.</param>
    /// <param name="what">What it is called where no more is known of it, before its path; null = by its kind and place.</param>
    public IoWarning? Look(WaitingIO? waiting, string? what = null)
    {
        if (waiting is null || waiting.Seconds < _longest)
            return Back(waiting);
        _longest = waiting.Seconds;
        var step = StepOf(waiting.Seconds);
        if (step <= _said)
            return null;
        // A busy disk can make I/Os wait for a second again and again: that is said a few times.
        if (step == 1 && ++_shortOnes > MostShortOnes)
            return null;
        _said = step;
        return new IoWarning(WarningCodes.IoHangs, Words(waiting, what));
    }

    private IoWarning? Back(WaitingIO? next)
    {
        var (longest, said) = (_longest, _said);
        (_longest, _said) = (next?.Seconds ?? 0, next is null ? 0 : StepOf(next.Seconds));
        return said == 0 || _said >= said ? null : new IoWarning(WarningCodes.IoBack, $"the {(_isLook ? "check" : "I/O")} that hung is back, after {longest:0.#} s or a little more.");
    }

    private static int StepOf(double seconds)
        => seconds < RepeatSeconds ? s_steps.Count(step => seconds >= step) : s_steps.Length + (int)(seconds / RepeatSeconds);

    private IoText Words(WaitingIO waiting, string? name)
    {
        var what = name is not null ? (IoText)$"{name} {waiting.Path}" : waiting.Kind == IoRequestKind.Flush ? (IoText)$"a flush of {waiting.Path}"
            : $"a {(waiting.Kind == IoRequestKind.Read ? "read" : "write")} of {new IoSize(waiting.Size).ToDisplayString()} at offset {waiting.Offset:#,##0} of {waiting.Path}";
        var others = waiting.Count > 1 ? (IoText)$" {waiting.Count} of {waiting.InFlight} I/Os in flight have waited for a second or longer." : "";
        return $"{what} has not come back for {Math.Floor(waiting.Seconds):0} s.{others}{(waiting.Seconds >= s_steps[^1] && !_isLook ? " SQL Server reports this as error 833." : "")}";
    }
}
