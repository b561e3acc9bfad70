using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

internal static class DurabilityCheck
{
    private const string Code = "Durability",
        Subject = "Durability";
    private const int BlockSize = 4096;
    private const int Rounds = 3;
    private static readonly TimeSpan s_round = TimeSpan.FromSeconds(0.4);
    private static readonly string[] s_facts = ["Bus", "Write cache", "FUA", "Write-through", "Power protection"];

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context)
    {
        var facts = context.Prepared.Facts;
        var told = s_facts.Where(facts.ContainsKey).Select(name => $"{name} {facts[name]}").ToList();
        var (through, behind) =
            context.IsUnbufferedPossible == false ? (IoBuffering.Software, IoBuffering.Both) : (IoBuffering.None, IoBuffering.Hardware);
        // Measure in turns, because the cost of a flush depends on what other programs have written to the device in the meantime.
        var (withThrough, without, flushed) = (new List<double?>(), new List<double?>(), new List<double?>());
        for (var round = 0; round < Rounds; round++)
        {
            Add(withThrough, context, through, flushEvery: 0);
            Add(without, context, behind, flushEvery: 0);
            Add(flushed, context, behind, flushEvery: 1);
        }
        var figures = new[]
        {
            new FindingFigure("Write-through write", Median(withThrough), "ms"),
            new FindingFigure("Write without write-through", Median(without), "ms"),
            new FindingFigure("Write and flush", Median(flushed), "ms"),
        };
        var times = FormattableString.Invariant(
            $"a 4 KB write takes {Median(withThrough):0.000} ms with write-through, {Median(without):0.000} ms without, and {Median(flushed):0.000} ms with a flush behind each (averages of {s_round.TotalSeconds:0.0} s in turns, the median of {Rounds})"
        );
        if (told.Count == 0)
        {
            yield return SelfTestCheck.CannotTell(
                Code,
                Subject,
                $"the device says nothing about its write cache; {times}.",
                "Ask who runs the storage whether acknowledged writes survive a power cut",
                figures
            );
            yield break;
        }
        yield return SelfTestCheck.Pass(Code, Subject, $"{string.Join(", ", told)}; {times}.", Advice(context.Prepared.Volume), figures);
    }

    private static string? Advice(VolumeFacts volume)
    {
        if (volume.IsPowerProtectionDeclared)
            return "Clear 'Turn off Windows write-cache buffer flushing' of the disk unless it has a battery or capacitors: Windows sends it no flushes now";
        if (volume.ForcedUnitAccess != false)
            return null;
        // Linux flushes the cache if a device does not support FUA. Windows does not.
        if (OperatingSystem.IsWindows())
            return "Do not count on acknowledged writes after a power cut: the device does not take write-through";
        return volume.WriteBackCache == true
            ? "Expect each write-through write to cost a flush of the device's whole cache: it has no FUA"
            : null;
    }

    // With one outstanding I/O, all time is spent in the calls. A flush follows each write, so that it never flushes an empty cache.
    private static void Add(List<double?> times, SelfTestContext context, IoBuffering buffering, int flushEvery)
    {
        var test = Writes(context, buffering);
        test.FlushEvery = flushEvery;
        if (context.Run(test).IOPS is > 0 and var rate)
            times.Add(1000 / rate);
    }

    private static double? Median(List<double?> times) => SampleSummary.Of(times)?.Median;

    private static IoTestSpecification Writes(SelfTestContext context, IoBuffering buffering)
    {
        var test = context.Test(buffering);
        test.WritePercent = 100;
        test.BlockSize = BlockSize;
        test.Duration = s_round;
        test.Order = new IoOrder.Sequential();
        return test;
    }
}
