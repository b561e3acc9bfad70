using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal static class FleetCmdletObserver
{
    /// <param name="require">Values to reach; null for none.</param>
    public static void WriteSummary(FleetResult answer, string? require, FleetStreams streams)
    {
        foreach (var group in answer.Groups)
        {
            foreach (var warning in group.Warnings)
                streams.Warn($"{group.Test}: {warning.Words}");
            streams.Note(group.Summary);
        }
        foreach (var ramp in answer.Ramps)
            streams.Note(ramp.Summary);
        foreach (var missed in require is null ? [] : FleetRequirement.DescribeFailures(FleetRequirement.Parse(require), answer.Groups))
            streams.Fail(IoBenchException.Failure(FleetErrorIds.RequirementNotMet, $"{missed}."));
    }
}
