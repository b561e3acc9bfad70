using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Keys of <see cref="IoTestResult.ToolDetails"/> that DiskSpd's readers set and its writers print.</summary>
internal static class DiskSpdPropertyNames
{
    internal const string Distribution = "Effective IO distributions";

    internal const string Waits = "Wait statistics";

    internal const string CompletionWaits = "Wait statistics, completion";

    internal const string Lookasides = "Wait statistics, lookaside";

    internal const string IoRing = "IoRing statistics";

    internal const string EffectiveAffinity = "Effective affinity";

    internal const string MixedCores = "DiskSpd reported that threads ran on P-cores and on E-cores, so the results include both.";

    internal const string Etw = "ETW";
}
