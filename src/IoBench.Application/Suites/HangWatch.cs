using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Reports pending I/Os and pending file calls of a running test after 1, 5, and 15 seconds and then every minute, and reports when they
/// complete.
/// </summary>
public sealed class HangWatch
{
    private const int MaxShortOnes = 3;
    private const double RepeatSeconds = 60;

    /// <summary>Seconds. After 15 s SQL Server reports a pending I/O as error 833.</summary>
    private static readonly double[] s_steps = [1, 5, 15];

    private string _name = "";
    private int _said;
    private int _shortOnes;
    private double _longest;

    /// <summary>Updates the state of a file check before a test, which a device that does not respond can block.</summary>
    /// <param name="path">The file.</param>
    /// <param name="seconds">Duration of the check so far in seconds; null if it has ended.</param>
    /// <returns>A warning; null if there is nothing to report.</returns>
    public IoWarning? LookAt(string path, double? seconds) =>
        Look(seconds is >= 1 ? seconds : null, "check", waited => Words($"a check of {path}", waited));

    /// <summary>Updates the state of file calls other than the I/O of a test.</summary>
    /// <param name="call">Pending call; null if there is none.</param>
    /// <returns>A warning; null if there is nothing to report.</returns>
    public IoWarning? Look(WaitingCall? call) => Look(call?.Seconds, call?.Noun ?? "", waited => Words($"{call}", waited));

    /// <summary>Updates the state of the I/O of a test.</summary>
    /// <param name="waiting">Oldest pending I/O; null if there is none.</param>
    /// <param name="what">Description to put before the path if only the path is known; null to describe the I/O by kind and
    /// offset.</param>
    /// <returns>A warning; null if there is nothing to report.</returns>
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
        // On a busy device, I/Os can repeatedly take a second. Report that only a few times.
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
