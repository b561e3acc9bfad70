using IoBench.Engine;

namespace IoBench.Application;

internal static class BackendChecks
{
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
