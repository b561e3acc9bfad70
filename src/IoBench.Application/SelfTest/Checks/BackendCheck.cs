using IoBench.Engine;

namespace IoBench.Application;

internal static class BackendCheck
{
    private const string Code = "Backend",
        Subject = "Backend";

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context)
    {
        var details = "";
        var test = context.Test(IoBuffering.Both);
        using (var target = context.OpenTarget(test))
            details = Details(context.Backend, target, test);
        var what = $"{context.Backend} is used{(details.Length == 0 ? "" : $": {details}")}.";
        if (context.PassedOver.Count == 0)
            yield return SelfTestCheck.Pass(Code, Subject, what);
        else
            yield return SelfTestCheck.Pass(
                Code,
                Subject,
                $"{what} {string.Join(" ", context.PassedOver)}",
                "Remove what keeps the better backend from being used: it costs less processor time per I/O"
            );
    }

    // Granted features are known only after a backend is opened as a worker opens it.
    private static unsafe string Details(BackendDescriptor kind, OpenTarget target, IoPattern pattern)
    {
        const int block = 8192;
        var slots = stackalloc IoSlot[1];
        var buffer = (byte*)System.Runtime.InteropServices.NativeMemory.AlignedAlloc(block, 4096);
        var backend = kind.Create(null, null);
        using var handle = target.Open(pattern, kind);
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
            backend.Keep(backend.TakeExtras());
            return string.Join(", ", backend.Grants);
        }
        finally
        {
            backend.Close();
            System.Runtime.InteropServices.NativeMemory.AlignedFree(buffer);
        }
    }
}
