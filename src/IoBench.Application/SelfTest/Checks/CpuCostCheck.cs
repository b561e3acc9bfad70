using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Measures the CPU time per I/O: without a device, with requests that the kernel completes without work, and with reads from the
/// page cache, which show what a drive without latency would show.</summary>
internal static class CpuCostCheck
{
    private const int Outstanding = 32;
    private const double HighShare = 0.5;

    public static IEnumerable<SelfTestCheck> CheckCost(SelfTestContext context)
    {
        var own = MeasureCpuTime(context, NullBackend.Descriptor, null);
        yield return CreateCostCheck("OwnCost", "Own cost", "this program alone (the Null backend)", own);

        var requests = CpuCostCheck.FindNoOpBackend(context.Backend);
        var noOp = requests is null ? (double?)null : MeasureCpuTime(context, NullBackend.Descriptor, requests);
        yield return noOp is null
            ? SelfTestCheck.CannotTell("NoOp", "No-op requests", $"{context.Backend} has no request that does nothing.")
            : CreateCostCheck("NoOp", "No-op requests", $"program and kernel, requests that do nothing ({context.Backend})", noOp.Value);

        ReadIntoPageCache(context.Path);
        var cached = MeasureCpuTime(context, context.Backend, null);
        yield return CreateCostCheck("PageCache", "Page cache", $"program and kernel, 8 KB reads from memory ({context.Backend})", cached);

        context.IopsPerCore = GetIopsPerCore(cached);
        var reached = context.SupportsUnbufferedIO == false ? null : MeasureStorageIops(context);
        yield return SelfTestCheck.Pass(
            "Capacity",
            "Capacity",
            $"this computer can drive about {FormatMillions(GetIopsPerCore(cached))} M IOPS per core with this program{DescribeStorageShare(reached / GetIopsPerCore(cached))}. A test that comes near it on all its threads measures the computer, not the storage.",
            reached / GetIopsPerCore(cached) >= HighShare ? "Use several threads on this storage" : null,
            new FindingEvidence("IOPS per core", GetIopsPerCore(cached)),
            new FindingEvidence("Storage IOPS", reached)
        );
    }

    private static double? MeasureStorageIops(SelfTestContext context)
    {
        var test = context.CreateTest(IoBuffering.None);
        test.OutstandingIO = Outstanding;
        return context.RunTest(test).IOPS;
    }

    private static string DescribeStorageShare(double? share) =>
        share is null
            ? ""
            : FormattableString.Invariant($"; this storage reached {100 * share:0} % of that with {Outstanding} reads outstanding");

    private static SelfTestCheck CreateCostCheck(string code, string subject, string what, double microseconds) =>
        SelfTestCheck.Pass(
            code,
            subject,
            FormattableString.Invariant(
                $"{what}: {microseconds:0.000} us of processor time per I/O, {FormatMillions(GetIopsPerCore(microseconds))} M IOPS per core."
            ),
            null,
            new FindingEvidence("CpuUsPerIO", microseconds, "us")
        );

    // CPU time instead of elapsed time, because other programs then hardly affect the result.
    private static double MeasureCpuTime(SelfTestContext context, BackendDescriptor backend, Func<IoBackend>? backends)
    {
        var test = context.CreateTest(IoBuffering.Both);
        test.Backend = backend.Name;
        test.OutstandingIO = Outstanding;
        // During the warm-up, the JIT compiler replaces the code by an optimized version.
        test.WarmUp = TimeSpan.FromSeconds(1);
        var result = context.RunTest(test, clock: null, backends);
        return result.CpuUsPerIO
            ?? 1e6 / result.IOPS
            ?? throw IoBenchException.Failure("IoBench.SelfTestFailed", "the processor time of a test could not be measured.");
    }

    private static void ReadIntoPageCache(string path)
    {
        var buffer = new byte[1 << 20];
        using var file = PlatformFiles.Current.OpenToRead(path);
        for (long offset = 0; offset < SelfTestContext.FileSize; offset += buffer.Length)
            _ = RandomAccess.Read(file, buffer, offset);
    }

    private static double GetIopsPerCore(double microseconds) => 1e6 / microseconds;

    private static string FormatMillions(double iops) => FormattableString.Invariant($"{iops / 1e6:0.##}");

    /// <summary>Returns a factory of backends whose requests do nothing in the kernel; null if this kind has no such requests.</summary>
    public static Func<IoBackend>? FindNoOpBackend(BackendDescriptor kind) =>
        kind.Name switch
        {
            IoUringBackend.Name => () => new NoOpIoUringBackend(),
            OverlappedBackend.Name => () => new NoFilesBackend(new OverlappedBackend<NoOpCompletionPort>(default)),
            _ => null,
        };

    private sealed unsafe class NoFilesBackend(IoBackend inner) : IoBackend
    {
        // With the descriptor of the Null backend, workers open no files.
        public override BackendDescriptor Kind => NullBackend.Descriptor;

        public override void Open(BackendSetup setup) => inner.Open(setup);

        public override int MaxSubmissionBatch => inner.MaxSubmissionBatch;

        public override int Submit(int* ready, int count) => inner.Submit(ready, count);

        public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions) =>
            inner.SubmitAndReap(ready, count, until, completions);

        public override void Close() => inner.Close();
    }
}
