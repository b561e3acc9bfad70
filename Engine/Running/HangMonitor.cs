namespace IoBench.Engine;

/// <summary>Reports pending I/Os and file calls of a test after 1, 5, and 15 s and then every minute, and reports when they
/// complete.</summary>
public sealed class HangMonitor
{
    private const int MaxShortHangs = 3;
    private const double RepeatSeconds = 60;

    /// <summary>Seconds. After 15 s SQL Server reports a pending I/O as error 833.</summary>
    private static readonly double[] s_steps = [1, 5, 15];

    private string _name = "";
    private int _reportedStep;
    private int _shortHangs;
    private double _longest;

    /// <summary>Updates the state of a file check before a test, which a device that does not respond can block.</summary>
    /// <param name="seconds">Duration of the check so far in seconds; null if it has ended.</param>
    public IoWarning? UpdateFileCheck(string path, double? seconds) =>
        Update(seconds is >= 1 ? seconds : null, "check", waited => DescribePending($"a check of {path}", waited));

    public IoWarning? Update(PendingCall? call) => Update(call?.Seconds, call?.Noun ?? "", waited => DescribePending($"{call}", waited));

    /// <param name="what">Text before the path if only the path is known; null to describe the I/O by kind and offset.</param>
    public IoWarning? Update(PendingIO? waiting, string? what = null) =>
        Update(
            waiting?.Seconds,
            "I/O",
            waited =>
            {
                var others =
                    waiting!.Count > 1
                        ? (IoMessage)$" {waiting.Count} of {waiting.InFlight} outstanding I/Os have been pending for 1 s or longer."
                        : "";
                var sqlServer = waited >= s_steps[^1] ? " SQL Server reports this as error 833." : "";
                var description = what is null ? DescribeIO(waiting) : $"{what} {waiting.Path}";
                return $"{DescribePending(description, waited)}{others}{sqlServer}";
            }
        );

    private IoWarning? Update(double? seconds, string name, Func<double, IoMessage> words)
    {
        if (seconds is not { } waited || waited < _longest)
            return CreateRecoveryWarning(seconds);
        _longest = waited;
        var step = GetStep(waited);
        if (step <= _reportedStep)
            return null;
        // On a busy device, I/Os can repeatedly take a second. Report that only a few times.
        if (step == 1 && ++_shortHangs > MaxShortHangs)
            return null;
        _reportedStep = step;
        _name = name;
        return new IoWarning(WarningCodes.IoHangs, words(waited));
    }

    private IoWarning? CreateRecoveryWarning(double? next)
    {
        var longest = _longest;
        var previousStep = _reportedStep;
        _longest = next ?? 0;
        _reportedStep = next is { } waited ? GetStep(waited) : 0;
        return previousStep == 0 || _reportedStep >= previousStep
            ? null
            : new IoWarning(WarningCodes.IoBack, $"The pending {_name} completed after about {longest:0.#} s.");
    }

    private static int GetStep(double seconds) =>
        seconds < RepeatSeconds ? s_steps.Count(step => seconds >= step) : s_steps.Length + (int)(seconds / RepeatSeconds);

    private static IoMessage DescribePending(IoMessage what, double seconds) => $"{what} has been pending for {Math.Floor(seconds):0} s.";

    private static IoMessage DescribeIO(PendingIO waiting) =>
        waiting.Kind == IoRequestKind.Flush
            ? $"a flush of {waiting.Path}"
            : $"a {(waiting.Kind == IoRequestKind.Read ? "read" : "write")} of {IoSize.Format(waiting.Size)} at offset {waiting.Offset:#,##0} of {waiting.Path}";
}
