using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Tests;

public abstract class ModeledNtfsTestBase : TargetTestBase
{
    private protected ModelNtfs Disk { get; private set; } = new();

    private protected ModelNtfs UseModel(ModelNtfs model)
    {
        PlatformFiles.OverrideCurrent(new WindowsFiles(model));
        return Disk = model;
    }

    protected override void ReleaseResources() => PlatformFiles.OverrideCurrent(null);

    private protected static TargetHandle[] OpenWorkers(OpenTarget target, int count, int writePercent = 100)
    {
        var pattern = new IoPattern { WritePercent = writePercent };
        return [.. Enumerable.Range(0, count).Select(_ => target.OpenHandle(pattern, OverlappedBackend.Descriptor))];
    }

    private protected static unsafe void WriteBlock(TargetHandle worker, ulong seed, long offset, int length = 8192, bool zeros = false)
    {
        var memory = (byte*)NativeMemory.AlignedAlloc((nuint)length, 4096);
        var buffer = new Span<byte>(memory, length);
        buffer.Clear();
        if (!zeros)
            TestWrites.CreateContent(seed, offset, length, 1).CopyTo(buffer);
        PlatformFiles.Current.Write(worker.File, worker.Path, buffer, offset);
        NativeMemory.AlignedFree(memory);
    }

    private protected static SafeFileHandle OpenAsOtherProgram(string path) => PlatformFiles.Current.OpenToWrite(path);
}
