using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

internal static class DiskSpdCheck
{
    private const string Code = "DiskSpd",
        Subject = "Beside DiskSpd";

    // 4 pairs of 2 runs for each of 4 loads take about 65 s.
    private const int Seconds = 2;

    // Accepted difference between the tools, in percent.
    private const double Tolerance = 5;
    private static readonly (int WritePercent, int Outstanding)[] s_loads = [(0, 1), (0, 32), (100, 1), (100, 32)];

    public static IEnumerable<SelfTestCheck> CompareWithDiskSpd(SelfTestContext context)
    {
        if (context.Request.DiskSpdPath is not { } path)
            yield break;
        if (context.SupportsUnbufferedIO == false)
        {
            yield return SelfTestCheck.CannotTell(
                Code,
                Subject,
                "this file system takes no unbuffered I/O: both tools would measure memory.",
                "Name a folder on the storage that matters"
            );
            yield break;
        }
        // DiskSpd needs its own file, because a file that DiskSpd has written to no longer belongs to IoBench.
        var file = Path.Combine(Path.GetDirectoryName(context.Path)!, $"iobench-self-test-{Guid.NewGuid():N}.dat");
        var program = new DiskSpdProgram(path, file, context.Token);
        try
        {
            FillFile(file, context.Token);
            foreach (var (writePercent, outstanding) in s_loads)
                yield return CompareLoad(context, program, writePercent, outstanding);
        }
        finally
        {
            File.Delete(file);
        }
    }

    internal static SelfTestCheck CreateCheck(string load, IReadOnlyList<(double Own, double Other)> pairs, bool isBusy = false)
    {
        var own = pairs.Average(p => p.Own);
        var other = pairs.Average(p => p.Other);
        // Compare logarithms, so that half and twice the rate are equally far from 1.
        var ratio = SampleSummary.FromSamples(pairs.Select(p => (double?)Math.Log(p.Own / p.Other)))!;
        var difference = ToPercent(ratio.Mean);
        var low = ToPercent(ratio.ConfidenceLow!.Value);
        var high = ToPercent(ratio.ConfidenceHigh!.Value);
        var what = FormattableString.Invariant(
            $"{load}: {own:#,##0} IOPS, DiskSpd {other:#,##0}: {difference:+0.0;-0.0;0.0} % ({low:+0.0;-0.0;0.0} to {high:+0.0;-0.0;0.0} %, 95 % of {pairs.Count} pairs of {Seconds} s in turns)."
        );
        FindingEvidence[] figures =
        [
            new("IoBench", own, "IOPS"),
            new("DiskSpd", other, "IOPS"),
            new("Difference", difference, "%"),
            new("Difference from", low, "%"),
            new("Difference to", high, "%"),
        ];
        const string again = "Repeat it while nothing else uses the computer and the storage";
        if (isBusy)
            return SelfTestCheck.CannotTell(Code, Subject, what + " All processors were busy.", again, figures);
        if (low > Tolerance || high < -Tolerance)
            return SelfTestCheck.Fail(
                Code,
                Subject,
                what,
                again + "; if it stays so, compare IoBench's figures only with IoBench's, and report it",
                figures
            );
        return low >= -Tolerance && high <= Tolerance
            ? SelfTestCheck.Pass(Code, Subject, what, null, figures)
            : SelfTestCheck.CannotTell(Code, Subject, what, again + ": its rate varies too much to tell the tools apart", figures);
    }

    private static double ToPercent(double logarithm) => 100 * (Math.Exp(logarithm) - 1);

    private static SelfTestCheck CompareLoad(SelfTestContext context, DiskSpdProgram program, int writePercent, int outstanding)
    {
        var load = $"8 KB random {(writePercent == 0 ? "reads" : "writes")}, {outstanding} outstanding";
        var test = context.CreateTest(IoBuffering.None);
        test.WritePercent = writePercent;
        test.OutstandingIO = outstanding;
        test.Duration = TimeSpan.FromSeconds(Seconds);
        var pairs = new List<(double, double)>();
        var isBusy = false;
        try
        {
            for (var pair = 0; pair < context.Request.DiskSpdPairs; pair++)
            {
                // Alternate which tool runs first, so that neither benefits from the storage caches.
                var other = pair % 2 == 0 ? 0 : program.Run(writePercent, outstanding, Seconds);
                var own = context.RunTest(test);
                isBusy |= SelfTestContext.IsBusy(own);
                if (own.IOPS is not > 0)
                    throw IoBenchException.Failure("IoBench.SelfTestFailed", "a test of IoBench did no I/O.");
                pairs.Add((own.IOPS.Value, pair % 2 == 0 ? program.Run(writePercent, outstanding, Seconds) : other));
            }
        }
        catch (IoBenchException error)
        {
            context.Token.ThrowIfCancellationRequested();
            return SelfTestCheck.CannotTell(Code, Subject, $"{load}: {error.Message.TrimEnd('.')}.", "See what the message says");
        }
        return CreateCheck(load, pairs, isBusy);
    }

    private static void FillFile(string path, CancellationToken token)
    {
        const int chunk = 1 << 20;
        using var file = new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.None, 0);
        for (var at = 0L; at < SelfTestContext.FileSize; at += chunk)
        {
            token.ThrowIfCancellationRequested();
            file.Write(CryptoLibrary.GetRandomBytes(chunk));
        }
        file.Flush(flushToDisk: true);
    }
}
