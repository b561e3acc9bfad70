namespace IoBench.PowerShell.Fleet;

/// <summary>What a cmdlet makes of a fleet's answer.</summary>
internal static class FleetCmdletAnswer
{
    /// <summary>Says what weakens the answer and what was missed.</summary>
    /// <param name="require">What must be reached; null = nothing.</param>
    /// <param name="streams">Where it is said.</param>
    public static void Tell(FleetAnswer answer, string? require, FleetStreams streams)
    {
        foreach (var group in answer.Groups)
        {
            foreach (var warning in group.Warnings)
                streams.Warn($"{group.Test}: {warning.Words}");
            streams.Note(group.Summary);
        }
        foreach (var ramp in answer.Ramps)
            streams.Note(ramp.Summary);
        foreach (var missed in require is null ? [] : FleetRequirement.Missed(FleetRequirement.Parse(require), answer.Groups))
            streams.Fail(IoBenchException.Failure(FleetErrors.Missed, $"{missed}."));
    }
}
