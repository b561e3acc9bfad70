namespace IoBench.Analysis.Drills;

/// <summary>What an outage looked like.</summary>
public enum OutageKind
{
    /// <summary>I/Os hung and nothing came back.</summary>
    Silence,

    /// <summary>I/Os came back with errors.</summary>
    Errors,

    /// <summary>Both, one after the other.</summary>
    SilenceAndErrors,

    /// <summary>Some I/Os failed while others were done.</summary>
    SomeErrors,
}

/// <summary>A time in which a drill's I/Os were not done.</summary>
/// <param name="Begin">When the first I/O that was not done was started, in seconds from the drill's beginning.</param>
/// <param name="Seconds">How long it lasted, to the first I/O that was done again.</param>
/// <param name="Kind">What it looked like.</param>
/// <param name="Errors">I/Os that failed in it.</param>
/// <param name="IsOver">Whether it ended before the drill did.</param>
public sealed record Outage(double Begin, double Seconds, OutageKind Kind, int Errors, bool IsOver = true)
{
    /// <summary>In words: <c>at 12.31 s for 4.87 s, silence, 3 errors</c>.</summary>
    public override string ToString() =>
        FormattableString.Invariant(
            $"at {Begin:0.00} s for {Seconds:0.00} s{(IsOver ? "" : ", not over at the end")}: {Words(Kind)}{(Errors == 0 ? "" : Errors == 1 ? ", 1 error" : $", {Errors:#,##0} errors")}"
        );

    /// <summary>A kind in words.</summary>
    public static string Words(OutageKind kind) =>
        kind switch
        {
            OutageKind.Silence => "nothing came back",
            OutageKind.Errors => "I/Os failed",
            OutageKind.SilenceAndErrors => "nothing came back, and I/Os failed",
            _ => "some I/Os failed, others were done",
        };
}
