using System.Globalization;
using System.Runtime.InteropServices;
using IoBench.Analysis;
using IoBench.Engine;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Application;

/// <summary>Checks the flags of open files, that unbuffered reads need aligned offsets, and that they reach the device.</summary>
internal static class BufferingChecks
{
    private const string FlagsCode = "Flags",
        FlagsSubject = "Open flags";

    public static IEnumerable<SelfTestCheck> CheckOpenFlags(SelfTestContext context)
    {
        var wrong = new List<string>();
        foreach (var buffering in Enum.GetValues<IoBuffering>())
        {
            var isUnbuffered = buffering is IoBuffering.None or IoBuffering.Hardware;
            if (isUnbuffered && context.SupportsUnbufferedIO == false)
                continue;
            var test = context.CreateTest(buffering);
            test.WritePercent = 100;
            using var target = context.OpenTestFile(test);
            using var handle = target.OpenHandle(test, context.Backend);
            if (OpenFlags.FromHandle(handle.File) is not { } flags)
            {
                yield return SelfTestCheck.CannotTell(FlagsCode, FlagsSubject, "the system does not show the flags of an open file.");
                yield break;
            }
            if (flags.DescribeMismatch(buffering) is { } against)
                wrong.Add($"{buffering} is {against}");
            if (flags.IsSynchronous)
                wrong.Add($"{buffering} is opened for one I/O at a time");
        }
        if (wrong.Count > 0)
            yield return SelfTestCheck.Fail(
                FlagsCode,
                FlagsSubject,
                $"files are not open as they were asked for: {string.Join(", ", wrong)}.",
                "Do not trust figures of writes and unbuffered reads here; report it"
            );
        else if (context.SupportsUnbufferedIO == false)
            yield return SelfTestCheck.CannotTell(
                FlagsCode,
                FlagsSubject,
                "this file system does not do unbuffered I/O; buffered files are open as they were asked for.",
                "Name a folder on the disk that matters"
            );
        else
            yield return SelfTestCheck.Pass(
                FlagsCode,
                FlagsSubject,
                OperatingSystem.IsWindows()
                    ? "the handles of all four kinds of buffering have FILE_FLAG_NO_BUFFERING and FILE_FLAG_WRITE_THROUGH as they should."
                    : "the files of all four kinds of buffering have O_DIRECT and O_DSYNC as they should."
            );
    }

    private const string AlignmentCode = "Alignment",
        AlignmentSubject = "Alignment";
    private const int PageSize = 4096;

    public static IEnumerable<SelfTestCheck> CheckAlignment(SelfTestContext context)
    {
        var files = PlatformFiles.Current;
        var sector = context.Target.LogicalSectorSize;
        using var handle = files.OpenToRead(context.Path);
        using var direct = files.TryReopenUnbuffered(handle, context.Path, write: false);
        if (direct is null)
        {
            yield return SelfTestCheck.CannotTell(
                AlignmentCode,
                AlignmentSubject,
                "this file system does not do unbuffered I/O.",
                "Name a folder on the disk that matters"
            );
            yield break;
        }
        var memory = GetMemoryAlignment(handle) is { } bytes
            ? FormattableString.Invariant($" Buffers are at multiples of {bytes} bytes.")
            : "";
        var sizes = FormattableString.Invariant(
            $"sectors of {sector} bytes, {context.Target.Facts.GetValueOrDefault("Physical sector size")} bytes at the device"
        );
        var figure = new FindingEvidence("Sector", sector, "bytes");
        if (!CanRead(direct, sector, sector))
            yield return SelfTestCheck.Fail(
                AlignmentCode,
                AlignmentSubject,
                $"{sizes}: an unbuffered read of one sector is refused.",
                "Use blocks of 4 KB and more here, and report it",
                figure
            );
        else if (CanRead(direct, sector / 2, sector))
            yield return SelfTestCheck.CannotTell(
                AlignmentCode,
                AlignmentSubject,
                $"{sizes}: unbuffered reads between sectors are taken too, so that nothing shows what is buffered.{memory}",
                null,
                figure
            );
        else
            yield return SelfTestCheck.Pass(
                AlignmentCode,
                AlignmentSubject,
                $"{sizes}: unbuffered reads of whole sectors are taken, others refused.{memory}",
                null,
                figure
            );
    }

    private static unsafe bool CanRead(SafeFileHandle file, long offset, int length)
    {
        var memory = (byte*)NativeMemory.AlignedAlloc((nuint)length, PageSize);
        try
        {
            return PlatformFiles.Current.Read(file, new Span<byte>(memory, length), offset) == length;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or IoBenchException)
        {
            return false;
        }
        finally
        {
            NativeMemory.AlignedFree(memory);
        }
    }

    // FILE_ALIGNMENT_INFO is a mask: alignment minus 1.
    private static unsafe uint? GetMemoryAlignment(SafeFileHandle file)
    {
        uint mask;
        return
            PlatformFiles.Current is WindowsFiles windows
            && windows.Calls.GetInformation(file, WindowsCalls.FileAlignmentInfo, &mask, sizeof(uint)) == 0
            ? mask + 1
            : null;
    }

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

    /// <summary>Bytes that the block layer read for this process, as a share of the bytes of a test; null if they are not
    /// counted.</summary>
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
