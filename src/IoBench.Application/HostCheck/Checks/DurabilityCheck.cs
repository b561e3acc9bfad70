using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

internal static class DurabilityCheck
{
    private const int BlockSize = 4096;
    private const int Rounds = 3;
    private static readonly string[] s_facts = ["Bus", "Write cache", "FUA", "Write-through", "Power protection"];

    public static HostCheck CheckDurability(HostCheckContext context)
    {
        var facts = context.Target.Facts;
        var knownFacts = s_facts.Where(facts.ContainsKey).Select(name => $"{name} {facts[name]}").ToList();
        var (through, behind) = !context.SupportsUnbufferedIO
            ? (IoBuffering.Software, IoBuffering.Both)
            : (IoBuffering.None, IoBuffering.Hardware);
        // Measure in turns, because the cost of a flush depends on what other programs have written to the device in the meantime.
        var withThrough = new List<double?>();
        var without = new List<double?>();
        var flushed = new List<double?>();
        for (var round = 0; round < Rounds; round++)
        {
            AddWriteTime(withThrough, context, through, flushEvery: 0);
            AddWriteTime(without, context, behind, flushEvery: 0);
            AddWriteTime(flushed, context, behind, flushEvery: 1);
        }
        var figures = new[]
        {
            new FindingEvidence("Write-through write", GetMedian(withThrough), "ms"),
            new FindingEvidence("Write without write-through", GetMedian(without), "ms"),
            new FindingEvidence("Write and flush", GetMedian(flushed), "ms"),
        };
        var times = Invariant(
            $"a 4 KB write takes {GetMedian(withThrough):0.000} ms with write-through, {GetMedian(without):0.000} ms without, and {GetMedian(flushed):0.000} ms with a flush after each write (medians of {Rounds} tests of {context.Round.TotalSeconds:0.0} s)"
        );
        if (knownFacts.Count == 0)
            return HostCheck.NotRated(
                $"the device does not report its write cache; {times}.",
                "Ask the storage team whether acknowledged writes survive a power failure",
                figures
            );
        return HostCheck.Pass($"{string.Join(", ", knownFacts)}; {times}.", GetAdvice(facts), figures);
    }

    private static string? GetAdvice(IReadOnlyDictionary<string, string> facts)
    {
        if (facts.ContainsKey("Power protection"))
            return "Clear 'Turn off Windows write-cache buffer flushing' for the disk, unless the disk has a battery or capacitors. Windows currently sends no flushes to the disk";
        // Linux flushes the cache if a device does not support FUA. Windows does not.
        if (facts.GetValueOrDefault("Write-through") == "not supported")
            return "Do not rely on acknowledged writes after a power failure: the device does not support write-through";
        return facts.GetValueOrDefault("FUA") == "no" && facts.GetValueOrDefault("Write cache") == "write back"
            ? "Expect each write-through write to flush the whole device cache, because the device has no FUA"
            : null;
    }

    // With one outstanding I/O, all time is spent in the calls. A flush follows each write, so that it never flushes an empty cache.
    private static void AddWriteTime(List<double?> times, HostCheckContext context, IoBuffering buffering, int flushEvery)
    {
        var test = context.CreateLogWriteTest(buffering, BlockSize);
        test.FlushEvery = flushEvery;
        var result = context.RunTest(test);
        if (result.IOPS > 0)
            times.Add(1000 / result.IOPS);
    }

    private static double? GetMedian(List<double?> times) => SampleSummary.FromSamples(times)?.Median;
}
