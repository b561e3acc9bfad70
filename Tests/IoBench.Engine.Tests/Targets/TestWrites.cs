using System.Runtime.InteropServices;

namespace IoBench.Engine.Tests;

internal static class TestWrites
{
    public static byte[] CreateContent(ulong seed, long offset, int length, ulong sequence)
    {
        var block = new byte[length];
        var random = new Random((int)(sequence ^ (ulong)offset));
        TestFileContent.FillPayload(block, (uint)random.Next());
        var mask = (ulong)random.NextInt64();
        foreach (ref var word in MemoryMarshal.Cast<byte, ulong>(block))
            word ^= mask;
        BlockHeader.WriteHeaders(block, seed, offset, sequence);
        return block;
    }

    public static void WriteBlock(string path, ulong seed, long offset, int length, ulong sequence = 1)
    {
        using var handle = File.OpenHandle(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        RandomAccess.Write(handle, CreateContent(seed, offset, length, sequence), offset);
    }
}

internal sealed class WritingRun : IDisposable
{
    private readonly OpenTarget _target;

    public WritingRun(
        IoTestSpecification spec,
        TestRunOptions? options = null,
        IReadOnlyList<OpenTarget>? others = null,
        ulong? seed = null
    )
    {
        _target = TargetPreparation.Open(
            TargetCheck.Resolve(spec, spec.Targets[0], options ?? new TestRunOptions()),
            others ?? [],
            null,
            CancellationToken.None
        );
        try
        {
            if (seed is { } other)
                _target.WriteSession!.BeginTarget(other, spec, null);
            else
                _target.BeginWriting(spec, null);
        }
        catch
        {
            _target.Dispose();
            throw;
        }
    }

    public OpenTarget Target => _target;

    /// <summary>Warning of the end; null if the marker was closed.</summary>
    public string? Warning { get; private set; }

    public void Dispose()
    {
        Warning = _target.EndWriting();
        _target.Dispose();
    }
}
