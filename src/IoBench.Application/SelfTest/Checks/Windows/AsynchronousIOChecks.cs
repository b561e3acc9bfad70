using System.Diagnostics;
using System.Runtime.InteropServices;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>On Windows, an I/O can complete within the call that starts it. Then only one I/O is ever outstanding.</summary>
internal static unsafe class AsynchronousIOChecks
{
    private const string PendingCode = "Pending",
        PendingSubject = "Asynchronous I/O",
        CancelCode = "Cancel",
        CancelSubject = "Cancelling";
    private const int Outstanding = 32,
        CancelBlockSize = 64 << 10;
    private const double MaxSynchronousPercent = 20;

    public static IEnumerable<SelfTestCheck> CheckAsynchronousIO(SelfTestContext context) =>
        OperatingSystem.IsWindows() && context.Backend == OverlappedBackend.Descriptor
            ? [CheckPendingIO(context), CheckCancellation(context)]
            : [];

    private static SelfTestCheck CheckPendingIO(SelfTestContext context)
    {
        var reads = MeasureSynchronousPercent(context, writePercent: 0);
        var writes = MeasureSynchronousPercent(context, writePercent: 100);
        FindingEvidence[] figures = [new("Reads within the call", reads, "%"), new("Writes within the call", writes, "%")];
        var what = FormattableString.Invariant(
            $"of {Outstanding} outstanding 8 KB I/Os, {reads:0} % of reads and {writes:0} % of writes were done within the call that started them"
        );
        return Math.Max(reads, writes) <= MaxSynchronousPercent
            ? SelfTestCheck.Pass(PendingCode, PendingSubject, what + ".", null, figures)
            : SelfTestCheck.Fail(
                PendingCode,
                PendingSubject,
                what + ": queue depths are not what they are called here.",
                "Look for compression, encryption and filter drivers of this folder",
                figures
            );
    }

    private static double MeasureSynchronousPercent(SelfTestContext context, int writePercent)
    {
        var test = context.CreateTest(context.SupportsUnbufferedIO == false ? IoBuffering.Software : IoBuffering.None);
        test.WritePercent = writePercent;
        test.OutstandingIO = Outstanding;
        var backends = new List<IoBackend>();
        context.RunTest(
            test,
            clock: null,
            () =>
            {
                backends.Add(OverlappedBackend.Descriptor.Create(null, null));
                return backends[^1];
            }
        );
        var starts = backends.Select(b => b.SynchronousStarts!.Value).ToArray();
        return 100.0 * starts.Sum(s => s.DoneAtOnce) / Math.Max(1, starts.Sum(s => s.Started));
    }

    private static SelfTestCheck CheckCancellation(SelfTestContext context)
    {
        var test = context.CreateTest(context.SupportsUnbufferedIO == false ? IoBuffering.Software : IoBuffering.None);
        using var target = context.OpenTestFile(test);
        using var handle = target.OpenHandle(test, OverlappedBackend.Descriptor);
        var memory = (byte*)NativeMemory.AlignedAlloc(Outstanding * CancelBlockSize, 4096);
        var slots = stackalloc IoSlot[Outstanding];
        var ready = stackalloc int[Outstanding];
        var done = stackalloc IoCompletion[Outstanding];
        for (var i = 0; i < Outstanding; i++)
        {
            slots[i] = new IoSlot
            {
                Operation = IoRequestKind.Read,
                Offset = (long)i * CancelBlockSize,
                Length = CancelBlockSize,
                Buffer = memory + i * CancelBlockSize,
            };
            slots[i].ReadBuffer = slots[i].WriteBuffer = memory + i * CancelBlockSize;
            ready[i] = i;
        }
        var backend = OverlappedBackend.Descriptor.Create(null, null);
        backend.Open(
            new BackendSetup
            {
                Slots = slots,
                SlotCount = Outstanding,
                Buffers = memory,
                BufferBytes = Outstanding * CancelBlockSize,
                Targets = [handle],
            }
        );
        var watch = Stopwatch.StartNew();
        backend.Submit(ready, Outstanding);
        backend.Cancel();
        var came = 0;
        var cancelled = 0;
        for (var until = Clock.Now + 5 * Clock.Second; came < Outstanding && Clock.Now < until; )
        {
            var got = backend.SubmitAndReap(ready, 0, Clock.Now + 100_000_000, done);
            for (var i = 0; i < got; i++)
                cancelled += done[i].Result == -WindowsCalls.ERROR_OPERATION_ABORTED ? 1 : 0;
            came += got;
        }
        var milliseconds = watch.Elapsed.TotalMilliseconds;
        backend.Close();
        // I/Os that have not completed can still write to the memory, so do not free it.
        if (came < Outstanding)
            return SelfTestCheck.Fail(
                CancelCode,
                CancelSubject,
                $"of {Outstanding} reads that were cancelled, {Outstanding - came} did not come back within 5 s.",
                "Expect tests that cannot be ended here, and report it"
            );
        NativeMemory.AlignedFree(memory);
        return SelfTestCheck.Pass(
            CancelCode,
            CancelSubject,
            FormattableString.Invariant(
                $"of {Outstanding} reads that were cancelled at once, all came back within {milliseconds:0.#} ms, {cancelled} of them as cancelled."
            )
        );
    }

    private const string BackendCode = "Backend",
        BackendSubject = "Backend";

    public static IEnumerable<SelfTestCheck> CheckBackend(SelfTestContext context)
    {
        var details = "";
        var test = context.CreateTest(IoBuffering.Both);
        using (var target = context.OpenTestFile(test))
            details = GetFeatures(context.Backend, target, test);
        var what = $"{context.Backend} is used{(details.Length == 0 ? "" : $": {details}")}.";
        if (context.UnusedBackendReasons.Count == 0)
            yield return SelfTestCheck.Pass(BackendCode, BackendSubject, what);
        else
            yield return SelfTestCheck.Pass(
                BackendCode,
                BackendSubject,
                $"{what} {string.Join(" ", context.UnusedBackendReasons)}",
                "Remove what keeps the better backend from being used: it costs less processor time per I/O"
            );
    }

    // Granted features are known only after a backend is opened as a worker opens it.
    private static unsafe string GetFeatures(BackendDescriptor kind, OpenTarget target, IoPattern pattern)
    {
        const int block = 8192;
        var slots = stackalloc IoSlot[1];
        var buffer = (byte*)System.Runtime.InteropServices.NativeMemory.AlignedAlloc(block, 4096);
        var backend = kind.Create(null, null);
        using var handle = target.OpenHandle(pattern, kind);
        try
        {
            slots->ReadBuffer = slots->WriteBuffer = buffer;
            backend.Open(
                new BackendSetup
                {
                    Slots = slots,
                    SlotCount = 1,
                    Buffers = buffer,
                    BufferBytes = block,
                    Targets = [handle],
                }
            );
            backend.DisableFeaturesExcept(backend.EnableOptionalFeatures());
            return string.Join(", ", backend.FeatureNames);
        }
        finally
        {
            backend.Close();
            System.Runtime.InteropServices.NativeMemory.AlignedFree(buffer);
        }
    }
}
