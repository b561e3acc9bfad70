using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>What the device says about its write cache, and how long a write takes with and without write-through: what decides whether a commit survives a power cut.</summary>
internal static class DurabilityCheck
{
    private const string Code = "Durability", Subject = "Durability";
    private const int BlockSize = 4096;
    private static readonly string[] s_facts = ["Bus", "Write cache", "FUA", "Write-through", "Power protection"];

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context)
    {
        var facts = context.Prepared.Facts;
        var told = s_facts.Where(facts.ContainsKey).Select(name => $"{name} {facts[name]}").ToList();
        var (through, behind) = context.IsUnbufferedPossible == false ? (IoBuffering.Software, IoBuffering.Both) : (IoBuffering.None, IoBuffering.Hardware);
        var withThrough = WriteMs(context, through);
        var without = WriteMs(context, behind);
        var flushed = FlushedMs(context, behind);
        var figures = new[] { new FindingFigure("Write-through write", withThrough, "ms"), new FindingFigure("Write without write-through", without, "ms"), new FindingFigure("Write and flush", flushed, "ms") };
        var times = FormattableString.Invariant($"a 4 KB write takes {withThrough:0.000} ms with write-through and {without:0.000} ms without (median), and {flushed:0.000} ms with a flush behind it (average)");
        if (told.Count == 0)
        {
            yield return SelfTestCheck.CannotTell(Code, Subject, $"the device says nothing about its write cache; {times}.", "Ask who runs the storage whether acknowledged writes survive a power cut", figures);
            yield break;
        }
        yield return SelfTestCheck.Pass(Code, Subject, $"{string.Join(", ", told)}; {times}.", Advice(facts), figures);
    }

    private static string? Advice(IReadOnlyDictionary<string, string> facts)
    {
        string? Fact(string name) => facts.GetValueOrDefault(name);
        if (Fact("Power protection") == "declared by the user")
            return "Clear 'Turn off Windows write-cache buffer flushing' of the disk unless it has a battery or capacitors: Windows sends it no flushes now";
        if (Fact("Write-through") == "not supported")
            return "Do not count on acknowledged writes after a power cut: the device does not take write-through";
        return Fact("FUA") == "no" && Fact("Write cache") == "write back" ? "Expect each write-through write to cost a flush of the device's whole cache: it has no FUA" : null;
    }

    private static double? WriteMs(SelfTestContext context, IoBuffering buffering) => context.Run(Writes(context, buffering)).P50Ms;

    // The pair of both calls: with one outstanding, all the time is spent in one of them.
    private static double? FlushedMs(SelfTestContext context, IoBuffering buffering)
    {
        var test = Writes(context, buffering);
        test.FlushEvery = 1;
        return context.Run(test).IOPS is > 0 and var rate ? 1000 / rate : null;
    }

    private static IoTestSpecification Writes(SelfTestContext context, IoBuffering buffering)
    {
        var test = context.Test(buffering);
        test.WritePercent = 100;
        test.BlockSize = BlockSize;
        test.Order = new IoOrder.Sequential();
        return test;
    }
}
