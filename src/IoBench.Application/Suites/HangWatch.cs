namespace IoBench.Application.Suites;

/// <summary>Says of a running test that an I/O, or another call for its files, hangs: after 1, 5 and 15 seconds and then each minute, and that it came back.</summary>
public sealed class HangWatch
{
    private const int MaxShortOnes = 3;
    private const double RepeatSeconds = 60;

    /// <summary>After 15 s SQL Server reports an I/O as error 833.</summary>
    private static readonly double[] s_steps = [1, 5, 15];

    private string _name = "";
    private int _said;
    private int _shortOnes;
    private double _longest;

    /// <summary>What is to be said of a look at a file before a test: a disk that does not answer holds that too.</summary>
    /// <param name="path">The file.</param>
    /// <param name="seconds">How long the look has taken; null when it is over.</param>
    public IoWarning? LookAt(string path, double? seconds) =>
        Look(seconds is >= 1 ? seconds : null, "check", waited => Words($"a check of {path}", waited));

    /// <summary>What is to be said of what a run does to a file outside of the test's I/O.</summary>
    /// <param name="call">What has not come back; null when nothing hangs.</param>
    public IoWarning? Look(WaitingCall? call) => Look(call?.Seconds, call?.Noun ?? "", waited => Words($"{call}", waited));

    /// <summary>What is to be said now; null = nothing.</summary>
    /// <param name="waiting">The I/O that has been out longest; null when all come back.</param>
    /// <param name="what">What it is called where no more is known of it, before its path; null = by its kind and place.</param>
    public IoWarning? Look(WaitingIO? waiting, string? what = null) =>
        Look(
            waiting?.Seconds,
            "I/O",
            waited =>
            {
                var others =
                    waiting!.Count > 1
                        ? (IoText)$" {waiting.Count} of {waiting.InFlight} I/Os in flight have waited for a second or longer."
                        : "";
                return $"{Words(what is null ? Name(waiting) : $"{what} {waiting.Path}", waited)}{others}{(waited >= s_steps[^1] ? " SQL Server reports this as error 833." : "")}";
            }
        );

    private IoWarning? Look(double? seconds, string name, Func<double, IoText> words)
    {
        if (seconds is not { } waited || waited < _longest)
            return Back(seconds);
        _longest = waited;
        var step = StepOf(waited);
        if (step <= _said)
            return null;
        // A busy disk can make I/Os wait for a second again and again: that is said a few times.
        if (step == 1 && ++_shortOnes > MaxShortOnes)
            return null;
        (_said, _name) = (step, name);
        return new IoWarning(WarningCodes.IoHangs, words(waited));
    }

    private IoWarning? Back(double? next)
    {
        var (longest, said) = (_longest, _said);
        (_longest, _said) = (next ?? 0, next is { } waited ? StepOf(waited) : 0);
        return said == 0 || _said >= said
            ? null
            : new IoWarning(WarningCodes.IoBack, $"the {_name} that hung is back, after {longest:0.#} s or a little more.");
    }

    private static int StepOf(double seconds) =>
        seconds < RepeatSeconds ? s_steps.Count(step => seconds >= step) : s_steps.Length + (int)(seconds / RepeatSeconds);

    private static IoText Words(IoText what, double seconds) => $"{what} has not come back for {Math.Floor(seconds):0} s.";

    private static IoText Name(WaitingIO waiting) =>
        waiting.Kind == IoRequestKind.Flush
            ? $"a flush of {waiting.Path}"
            : $"a {(waiting.Kind == IoRequestKind.Read ? "read" : "write")} of {new IoSize(waiting.Size).ToDisplayString()} at offset {waiting.Offset:#,##0} of {waiting.Path}";
}
