namespace IoBench.Engine;

internal static class DrillTargetChange
{
    public static DrillTargetState GetState(DrillTargetReason reason) =>
        reason switch
        {
            DrillTargetReason.Gone or DrillTargetReason.Unreachable => DrillTargetState.Gone,
            DrillTargetReason.Unmarked or DrillTargetReason.OtherTestFile or DrillTargetReason.OtherContent => DrillTargetState.Foreign,
            DrillTargetReason.Proved => DrillTargetState.Reopened,
            _ => DrillTargetState.Open,
        };

    public static string Describe(DrillTargetChange change) =>
        change.Reason switch
        {
            DrillTargetReason.DoneAgain => "I/Os are done again",
            DrillTargetReason.Same => $"{change.Path} is the file that is open",
            DrillTargetReason.Gone => $"{change.Path} is gone",
            DrillTargetReason.Unreachable => change.Detail ?? $"{change.Path} cannot be asked",
            DrillTargetReason.Proved => $"{change.Path} is back: it was proved to be ours and opened again",
            _ => $"{change.Path} {DescribeMismatch(change.Reason, change.Detail)}: nothing is written to it",
        };

    public static string DescribeMismatch(DrillTargetReason reason, string? detail) =>
        reason switch
        {
            DrillTargetReason.Unmarked => "is another file, without IoBench's mark",
            DrillTargetReason.OtherTestFile => "is another test file of IoBench's",
            _ => detail ?? "holds content of others",
        };
}
