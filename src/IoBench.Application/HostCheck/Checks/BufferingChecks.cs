using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Checks the flags of open files, unbuffered reads of one sector, that unbuffered reads reach the device, and that I/O is
/// asynchronous. On Windows, an I/O can complete within the call that starts it. Then only one I/O is ever outstanding.</summary>
internal static class BufferingChecks
{
    private const string FlagsCode = "Flags",
        FlagsSubject = "Open flags";

    public static IEnumerable<HostCheck> CheckOpenFlags(HostCheckContext context)
    {
        var wrong = new List<string>();
        foreach (var buffering in Enum.GetValues<IoBuffering>())
        {
            var isUnbuffered = buffering is IoBuffering.None or IoBuffering.Hardware;
            if (isUnbuffered && !context.SupportsUnbufferedIO)
                continue;
            var result = context.RunTest(context.CreateShortTest(buffering));
            if (!result.Host.ContainsKey("Open flags"))
            {
                yield return HostCheck.NotRated(FlagsCode, FlagsSubject, "the operating system does not report the flags of an open file.");
                yield break;
            }
            wrong.AddRange(
                result.GetWarnings().Where(warning => warning.Code == WarningCodes.OpenFlags).Select(warning => warning.ToString())
            );
        }
        if (wrong.Count > 0)
            yield return HostCheck.Fail(
                FlagsCode,
                FlagsSubject,
                string.Join(" ", wrong),
                "Do not trust results of writes and unbuffered reads here, and report this problem"
            );
        else if (!context.SupportsUnbufferedIO)
            yield return HostCheck.NotRated(
                FlagsCode,
                FlagsSubject,
                "this file system does not support unbuffered I/O; buffered files have the flags that IoBench requested.",
                "Specify a folder on the storage that you want to measure"
            );
        else
            yield return HostCheck.Pass(
                FlagsCode,
                FlagsSubject,
                OperatingSystem.IsWindows()
                    ? "all four buffering modes open files with the requested combination of FILE_FLAG_NO_BUFFERING and FILE_FLAG_WRITE_THROUGH."
                    : "all four buffering modes open files with the requested combination of O_DIRECT and O_DSYNC."
            );
    }

    private const string AlignmentCode = "Alignment",
        AlignmentSubject = "Alignment";

    public static IEnumerable<HostCheck> CheckAlignment(HostCheckContext context)
    {
        if (!context.SupportsUnbufferedIO)
        {
            yield return HostCheck.NotRated(
                AlignmentCode,
                AlignmentSubject,
                "this file system does not support unbuffered I/O.",
                "Specify a folder on the storage that you want to measure"
            );
            yield break;
        }
        var sector = context.Target.LogicalSectorSize;
        var sizes = FormattableString.Invariant(
            $"sectors of {sector} bytes, {context.Target.Facts.GetValueOrDefault("Physical sector size")} bytes at the device"
        );
        var figure = new FindingEvidence("Sector", sector, "bytes");
        var test = context.CreateShortTest(IoBuffering.None);
        test.WritePercent = 0;
        test.BlockSize = sector;
        yield return IsAccepted(context, test)
            ? HostCheck.Pass(
                AlignmentCode,
                AlignmentSubject,
                $"{sizes}: the file system accepts unbuffered reads of one sector.",
                null,
                figure
            )
            : HostCheck.Fail(
                AlignmentCode,
                AlignmentSubject,
                $"{sizes}: the file system refuses an unbuffered read of one sector.",
                "Use blocks of 4 KB or more here, and report this problem",
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

    private const string UnbufferedCode = "Unbuffered",
        UnbufferedSubject = "Unbuffered reads";
    private const double MinDeviceShare = 0.95;

    public static IEnumerable<HostCheck> CheckUnbufferedReads(HostCheckContext context)
    {
        if (!context.SupportsUnbufferedIO)
        {
            yield return HostCheck.NotRated(
                UnbufferedCode,
                UnbufferedSubject,
                "this file system does not support unbuffered I/O.",
                "Specify a folder on the storage that you want to measure"
            );
            yield break;
        }
        if (!OperatingSystem.IsLinux())
        {
            yield return HostCheck.NotRated(
                UnbufferedCode,
                UnbufferedSubject,
                "Windows does not report how many bytes of a process came from the device."
            );
            yield break;
        }
        if (MeasureDeviceShare(context) is not { } share)
        {
            yield return HostCheck.NotRated(UnbufferedCode, UnbufferedSubject, "the kernel does not count I/O per process here.");
            yield break;
        }
        var figure = new FindingEvidence("From the device", 100 * share, "%");
        // The share can exceed 100%, because the system reads some bytes for its own use.
        var what = FormattableString.Invariant($"{100 * Math.Min(1, share):0}% of unbuffered reads came from the device.");
        yield return share >= MinDeviceShare ? HostCheck.Pass(UnbufferedCode, UnbufferedSubject, what, null, figure)
        : HasBlockDevice(context)
            ? HostCheck.Fail(
                UnbufferedCode,
                UnbufferedSubject,
                what + " A cache serves the rest.",
                "Do not trust results on this file system, and specify a folder on another file system",
                figure
            )
        : HostCheck.NotRated(
            UnbufferedCode,
            UnbufferedSubject,
            what + " The storage is not a local block device, and its I/O is not counted.",
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

    private const string PendingCode = "Pending",
        PendingSubject = "Asynchronous I/O";
    private const int Outstanding = 32;

    public static IEnumerable<HostCheck> CheckAsynchronousIO(HostCheckContext context) =>
        OperatingSystem.IsWindows() ? [CheckPendingIO(context)] : [];

    private static HostCheck CheckPendingIO(HostCheckContext context)
    {
        int[] writePercents = [0, 100];
        var warnings = writePercents
            .Select(percent => RunTest(context, percent).GetWarnings().FirstOrDefault(warning => warning.Code == WarningCodes.NotPending))
            .OfType<IoWarning>()
            .ToList();
        return warnings.Count == 0
            ? HostCheck.Pass(
                PendingCode,
                PendingSubject,
                $"with {Outstanding} outstanding reads or writes of 8 KB, I/Os complete after the call that starts them."
            )
            : HostCheck.Fail(
                PendingCode,
                PendingSubject,
                warnings[0].ToString(),
                "Check this folder for compression, encryption, and filter drivers"
            );
    }

    private static IoTestResult RunTest(HostCheckContext context, int writePercent)
    {
        var test = context.CreateTest(!context.SupportsUnbufferedIO ? IoBuffering.Software : IoBuffering.None);
        test.WritePercent = writePercent;
        test.OutstandingIO = Outstanding;
        return context.RunTest(test);
    }
}
