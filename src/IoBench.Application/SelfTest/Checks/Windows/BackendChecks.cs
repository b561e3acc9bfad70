using System.Diagnostics;
using System.Runtime.InteropServices;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Checks which backend a test gets, and whether I/O on Windows is asynchronous. If an I/O completes within the call that starts it, only
/// one I/O is ever outstanding.
/// Canceled I/O must complete.
/// </summary>
internal static unsafe class BackendChecks
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
        var (reads, writes) = (MeasureSynchronousPercent(context, writePercent: 0), MeasureSynchronousPercent(context, writePercent: 100));
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
                Operation = SlotOperation.Read,
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
        var (came, cancelled) = (0, 0);
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
}
