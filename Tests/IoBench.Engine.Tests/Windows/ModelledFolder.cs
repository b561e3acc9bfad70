using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Tests;

public abstract class ModelledFolder : TargetFolder
{
    private protected ModelNtfs Disk { get; private set; } = new();

    private protected ModelNtfs Use(ModelNtfs model)
    {
        PlatformFiles.Replace(new WindowsFiles(model));
        return Disk = model;
    }

    protected override void Clean() => PlatformFiles.Replace(null);

    private protected static TargetHandle[] OpenWorkers(OpenTarget target, int count, int writePercent = 100)
    {
        var pattern = new IoPattern { WritePercent = writePercent };
        return [.. Enumerable.Range(0, count).Select(_ => target.Open(pattern, OverlappedBackend.Descriptor))];
    }

    private protected static unsafe void Write(TargetHandle worker, ulong seed, long offset, int length = 8192, bool zeros = false)
    {
        var memory = (byte*)NativeMemory.AlignedAlloc((nuint)length, 4096);
        var buffer = new Span<byte>(memory, length);
        buffer.Clear();
        if (!zeros)
            TestWrites.Content(seed, offset, length, 1).CopyTo(buffer);
        PlatformFiles.Current.Write(worker.File, worker.Path, buffer, offset);
        NativeMemory.AlignedFree(memory);
    }

    private protected static SafeFileHandle OpenForeign(string path) => PlatformFiles.Current.OpenToWrite(path);
}
