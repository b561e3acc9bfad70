using IoBench.Engine;

namespace IoBench.Application;

internal static class DrillEvent
{
    public static IoMessage Describe(DrillEvent happened) =>
        happened switch
        {
            { Warning: { } warning } => warning.Text,
            { Target: { } change } => change.Text,
            { Error: { } error } => IntegrityMessages.Describe(error),
            { Live: { } live } => live.Text,
            { Result: { } result } => result.Summary,
            { Load: { } load } => $"{load.Rate:0.###} I/Os per second, {load.WritePercent} % writes, on {load.Path}: pull now",
            { Event: DrillEventKind.OutageBegan, Outage: { } outage } => $"outage since {outage.Begin:0.00} s",
            { Outage: { } outage } => $"outage {outage}",
            _ => happened.Event.ToString(),
        };
}
