using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Checks the flags of open files, unbuffered reads of one sector, that unbuffered reads reach the device, that I/O is
/// asynchronous, and what durable writes cost. On Windows, an I/O can complete within the call that starts it. Then only one I/O is ever
/// outstanding.</summary>
internal static class BufferingChecks
{
    public static HostCheck CheckOpenFlags(HostCheckContext context)
    {
        var wrong = new List<string>();
        foreach (var buffering in Enum.GetValues<IoBuffering>())
        {
            var isUnbuffered = buffering is IoBuffering.None or IoBuffering.Hardware;
            if (isUnbuffered && !context.SupportsUnbufferedIO)
                continue;
            var result = context.RunTest(context.CreateShortTest(buffering));
            if (!result.Host.ContainsKey("Open flags"))
                return HostCheck.NotRated("the operating system does not report the flags of an open file.");
            wrong.AddRange(
                result.GetWarnings().Where(warning => warning.Code == WarningCodes.OpenFlags).Select(warning => warning.ToString())
            );
        }
        if (wrong.Count > 0)
            return HostCheck.Fail(
                string.Join(" ", wrong),
                "Do not trust results for writes and unbuffered reads in this folder, and report this problem to the IoBench project"
            );
        if (!context.SupportsUnbufferedIO)
            return HostCheck.NotRated(
                "this file system does not support unbuffered I/O. For buffered I/O, the operating system used the open flags that IoBench requested.",
                "Specify a folder on the storage that you want to measure"
            );
        return HostCheck.Pass(
            OperatingSystem.IsWindows()
                ? "all four buffering modes open files with the requested combination of FILE_FLAG_NO_BUFFERING and FILE_FLAG_WRITE_THROUGH."
                : "all four buffering modes open files with the requested combination of O_DIRECT and O_DSYNC."
        );
    }

    public static HostCheck CheckAlignment(HostCheckContext context)
    {
        if (!context.SupportsUnbufferedIO)
            return HostCheck.NotRated(
                "this file system does not support unbuffered I/O.",
                "Specify a folder on the storage that you want to measure"
            );
        var sector = context.Target.LogicalSectorSize;
        var sizes = Invariant(
            $"logical sectors of {sector} bytes, physical sectors of {context.Target.Facts.GetValueOrDefault("Physical sector size")} bytes"
        );
        var figure = new FindingEvidence("Sector", sector, "bytes");
        var test = context.CreateShortTest(IoBuffering.None);
        test.WritePercent = 0;
        test.BlockSize = sector;
        return IsAccepted(context, test)
            ? HostCheck.Pass($"{sizes}: the file system accepts unbuffered reads of one sector.", null, figure)
            : HostCheck.Fail(
                $"{sizes}: the file system refuses an unbuffered read of one sector.",
                "Use blocks of 4 KB or more in this folder, and report this problem to the IoBench project",
                figure
            );
    }

    private static bool IsAccepted(HostCheckContext context, IoTestSpecification test)
    {
        try
        {
            context.RunTest(test);
            return true;
        }
        catch (IoBenchException)
        {
            context.Token.ThrowIfCancellationRequested();
            return false;
        }
    }

    private const double MinDeviceShare = 0.95;

    public static HostCheck CheckUnbufferedReads(HostCheckContext context)
    {
        if (!context.SupportsUnbufferedIO)
            return HostCheck.NotRated(
                "this file system does not support unbuffered I/O.",
                "Specify a folder on the storage that you want to measure"
            );
        if (!OperatingSystem.IsLinux())
            return HostCheck.NotRated("Windows does not report how many bytes a process read from the device.");
        if (MeasureDeviceShare(context) is not { } share)
            return HostCheck.NotRated("this kernel does not count I/O per process.");
        var figure = new FindingEvidence("From the device", 100 * share, "%");
        // The share can exceed 100%, because the system reads some bytes for its own use.
        var what = Invariant($"{100 * Math.Min(1, share):0}% of unbuffered reads came from the device.");
        return share >= MinDeviceShare ? HostCheck.Pass(what, null, figure)
            : HasBlockDevice(context)
                ? HostCheck.Fail(
                    what + " A cache served the other reads.",
                    "Do not trust results on this file system, and specify a folder on another file system",
                    figure
                )
            : HostCheck.NotRated(
                what + " The storage is not a local block device, so the operating system does not count its I/O.",
                null,
                figure
            );
    }

    private static bool HasBlockDevice(HostCheckContext context) =>
        context.Target.Facts.ContainsKey("Scheduler") || context.Target.Facts.ContainsKey("Rotational");

    /// <summary>Bytes that the block layer read for this process, as a share of the bytes of a test; null if they are not
    /// counted.</summary>
    private static double? MeasureDeviceShare(HostCheckContext context)
    {
        var before = ReadDeviceBytes();
        var result = context.RunTest(context.CreateTest(IoBuffering.None));
        return (ReadDeviceBytes() - before) / result.ByteCount;
    }

    private static double? ReadDeviceBytes()
    {
        const string name = "read_bytes:";
        try
        {
            var line = File.ReadLines("/proc/self/io").FirstOrDefault(l => l.StartsWith(name, StringComparison.Ordinal));
            return line is null ? null : double.Parse(line.AsSpan(name.Length), CultureInfo.InvariantCulture);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The kernel was built without accounting of I/O by process.
            return null;
        }
    }

    private const int Outstanding = 32;

    public static HostCheck? CheckAsynchronousIO(HostCheckContext context) => OperatingSystem.IsWindows() ? CheckPendingIO(context) : null;

    private static HostCheck CheckPendingIO(HostCheckContext context)
    {
        int[] writePercents = [0, 100];
        var warnings = writePercents
            .Select(percent => RunTest(context, percent).GetWarnings().FirstOrDefault(warning => warning.Code == WarningCodes.NotPending))
            .OfType<IoWarning>()
            .ToList();
        return warnings.Count == 0
            ? HostCheck.Pass(
                $"with {Outstanding} outstanding reads or writes of 8 KB, the I/Os run asynchronously: each call returns before its I/O completes."
            )
            : HostCheck.Fail(warnings[0].ToString(), "Check this folder for compression, encryption, and filter drivers");
    }

    private static IoTestResult RunTest(HostCheckContext context, int writePercent)
    {
        var test = context.CreateTest(!context.SupportsUnbufferedIO ? IoBuffering.Software : IoBuffering.None);
        test.WritePercent = writePercent;
        test.OutstandingIO = Outstanding;
        return context.RunTest(test);
    }

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
