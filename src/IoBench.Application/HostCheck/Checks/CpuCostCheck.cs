using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Measures the CPU time per I/O: without a device, and with reads from the page cache, which cost what reads
/// from a drive without latency would cost.</summary>
internal static class CpuCostCheck
{
    private const int Outstanding = 32;
    private const double HighShare = 0.5;
    private static readonly TimeSpan s_duration = TimeSpan.FromSeconds(0.5);

    public static HostCheck CheckOwnCost(HostCheckContext context) =>
        DescribeCost("IoBench alone, without a device", MeasureCpuTime(context, BackendCatalog.Null));

    public static HostCheck CheckPageCache(HostCheckContext context)
    {
        ReadIntoPageCache(context.Path);
        var cached = MeasureCpuTime(context, BackendCatalog.Auto);
        context.IopsPerCore = GetIopsPerCore(cached);
        return DescribeCost("IoBench and the kernel, 8 KB reads from the page cache", cached);
    }

    public static HostCheck? CheckCapacity(HostCheckContext context)
    {
        if (context.IopsPerCore is not { } capacity)
            return null;
        var reached = context.SupportsUnbufferedIO ? MeasureStorageIops(context) : null;
        return HostCheck.Pass(
            $"IoBench can drive about {FormatMillions(capacity)} M IOPS per core on this computer{DescribeStorageShare(reached / capacity)}. If each thread of a test comes close to this rate, the test measures the computer instead of the storage.",
            reached / capacity >= HighShare ? "Use several threads on this storage" : null,
            new FindingEvidence("IOPS per core", capacity),
            new FindingEvidence("Storage IOPS", reached)
        );
    }

    private static double? MeasureStorageIops(HostCheckContext context)
    {
        var test = context.CreateTest(IoBuffering.None);
        test.OutstandingIO = Outstanding;
        return context.RunTest(test).IOPS;
    }

    private static string DescribeStorageShare(double? share) =>
        share is null ? "" : Invariant($"; this storage reached {100 * share:0}% of this rate with {Outstanding} outstanding reads");

    private static HostCheck DescribeCost(string what, double microseconds) =>
        HostCheck.Pass(
            Invariant(
                $"{what}: {microseconds:0.000} us of CPU time per I/O, or {FormatMillions(GetIopsPerCore(microseconds))} M IOPS per core."
            ),
            null,
            new FindingEvidence("CpuUsPerIO", microseconds, "us")
        );

    // CPU time instead of elapsed time, because other programs then hardly affect the result.
    private static double MeasureCpuTime(HostCheckContext context, string backend)
    {
        var test = context.CreateTest(IoBuffering.Both);
        test.Backend = backend;
        test.OutstandingIO = Outstanding;
        test.Duration = s_duration;
        // During the warm-up, the JIT compiler replaces the code by an optimized version.
        test.WarmUp = TimeSpan.FromSeconds(0.5);
        var result = context.RunTest(test);
        return result.CpuUsPerIO
            ?? 1e6 / result.IOPS
            ?? throw IoBenchException.Failure("IoBench.CheckFailed", "IoBench could not measure the CPU time of a test.");
    }

    private static void ReadIntoPageCache(string path)
    {
        var buffer = new byte[1 << 20];
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 1);
        while (file.Read(buffer) > 0) { }
    }

    private static double GetIopsPerCore(double microseconds) => 1e6 / microseconds;

    private static string FormatMillions(double iops) => Invariant($"{iops / 1e6:0.##}");
}
