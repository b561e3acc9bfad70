using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

internal static class BufferingChecks
{
    private const string UnbufferedCode = "Unbuffered",
        UnbufferedSubject = "Unbuffered reads";
    private const double MinDeviceShare = 0.95;

    public static IEnumerable<SelfTestCheck> CheckUnbufferedReads(SelfTestContext context)
    {
        if (context.SupportsUnbufferedIO == false)
        {
            yield return SelfTestCheck.CannotTell(
                UnbufferedCode,
                UnbufferedSubject,
                "this file system does not do unbuffered I/O.",
                "Name a folder on the disk that matters"
            );
            yield break;
        }
        if (!OperatingSystem.IsLinux())
        {
            yield return SelfTestCheck.CannotTell(
                UnbufferedCode,
                UnbufferedSubject,
                "Windows does not count what of a process's reads came from the device; the open flags are what can be seen."
            );
            yield break;
        }
        if (MeasureDeviceShare(context) is not { } share)
        {
            yield return SelfTestCheck.CannotTell(UnbufferedCode, UnbufferedSubject, "the kernel does not count I/O by process here.");
            yield break;
        }
        var figure = new FindingEvidence("From the device", 100 * share, "%");
        // The share can exceed 100%, because the system reads some bytes for its own use.
        var what = FormattableString.Invariant($"{100 * Math.Min(1, share):0} % of unbuffered reads came from the device.");
        yield return share >= MinDeviceShare ? SelfTestCheck.Pass(UnbufferedCode, UnbufferedSubject, what, null, figure)
        : HasBlockDevice(context)
            ? SelfTestCheck.Fail(
                UnbufferedCode,
                UnbufferedSubject,
                what + " Memory answers in place of the device.",
                "Do not trust figures of this file system; name a folder on another",
                figure
            )
        : SelfTestCheck.CannotTell(
            UnbufferedCode,
            UnbufferedSubject,
            what + " The storage is not a local block device, and its I/O is not counted.",
            null,
            figure
        );
    }

    private static bool HasBlockDevice(SelfTestContext context) =>
        context.Target.Facts.ContainsKey("Scheduler") || context.Target.Facts.ContainsKey("Rotational");

    /// <summary>
    /// Returns the bytes that the block layer read for this process, as a share of the bytes of a test; null if they are not counted.
    /// </summary>
    private static double? MeasureDeviceShare(SelfTestContext context)
    {
        var before = ReadDeviceBytes();
        var result = context.RunTest(context.CreateTest(IoBuffering.None));
        return (ReadDeviceBytes() - before) / result.ByteCount;
    }

    private static double? ReadDeviceBytes()
    {
        const string name = "read_bytes:";
        var line = KernelFile.ReadText("/proc/self/io")?.Split('\n').FirstOrDefault(l => l.StartsWith(name, StringComparison.Ordinal));
        return
            line is not null && double.TryParse(line.AsSpan(name.Length), NumberStyles.Float, CultureInfo.InvariantCulture, out var bytes)
            ? bytes
            : null;
    }
}
