namespace IoBench.Analysis;

public enum OutageKind : long
{
    /// <summary>I/Os were pending and none completed.</summary>
    Stall,

    Errors,

    StallAndErrors,

    /// <summary>Some I/Os failed while others completed.</summary>
    SomeErrors,
}

/// <summary>A period of a drill in which I/Os did not complete successfully.</summary>
/// <param name="Begin">Start of the first I/O that did not complete, in seconds since the start of the drill.</param>
/// <param name="Seconds">Duration without the pauses in which IoBench did not run.</param>
/// <param name="IsOver">Whether the outage ended before the drill did.</param>
public sealed record Outage(double Begin, double Seconds, OutageKind Kind, int Errors, bool IsOver = true)
{
    private readonly double? _end;

    /// <summary>End in seconds since the start of the drill.</summary>
    public double End
    {
        get => _end ?? Begin + Seconds;
        init => _end = value;
    }

    public override string ToString()
    {
        var end = IsOver ? "" : ", still ongoing when the drill ended";
        var errors = Errors switch
        {
            0 => "",
            1 => ", 1 error",
            _ => Invariant($", {Errors:#,##0} errors"),
        };
        return Invariant($"at {Begin:0.00} s for {Seconds:0.00} s{end}: {DescribeKind(Kind)}{errors}");
    }

    public static string DescribeKind(OutageKind kind) =>
        kind switch
        {
            OutageKind.Stall => "no I/O completed",
            OutageKind.Errors => "I/Os failed",
            OutageKind.StallAndErrors => "no I/O completed, then I/Os failed",
            _ => "some I/Os failed, and others completed",
        };
}
