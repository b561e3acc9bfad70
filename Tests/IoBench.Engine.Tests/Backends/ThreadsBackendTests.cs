using System.Runtime.InteropServices;

namespace IoBench.Engine.Tests;

public sealed unsafe class ThreadsBackendTests : IDisposable
{
    private const int Slots = 4,
        Block = 4096;

    private readonly string _path = Path.GetTempFileName();
    private readonly IoSlot* _slots = (IoSlot*)NativeMemory.AllocZeroed(Slots, (nuint)sizeof(IoSlot));
    private readonly byte* _buffers = (byte*)NativeMemory.AllocZeroed(Slots * Block);
    private readonly ThreadsBackend _backend = new(handleEach: true);
    private int _opened;
    private int _open;

    public ThreadsBackendTests() => File.WriteAllBytes(_path, [.. Enumerable.Range(0, Slots * Block).Select(i => (byte)(1 + i / Block))]);

    public void Dispose()
    {
        NativeMemory.Free(_slots);
        NativeMemory.Free(_buffers);
        File.Delete(_path);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Each_thread_opens_its_own_handle_even_of_files_attached_later(bool comesLater)
    {
        using var file = OpenHandle(failAt: int.MaxValue);
        OpenBackend(comesLater ? [] : [file]);
        if (comesLater)
        {
            Assert.Equal(1, _open);
            _backend.AttachTargets([file]);
        }
        Assert.Equal(Slots, _open);
        Assert.Equal(Enumerable.Range(1, Slots).Select(i => (byte)i), ReadAllBlocks());
        _backend.Close();
        // The caller owns the first handle, so the backend does not close it.
        Assert.Equal(1, _open);
    }

    [Fact]
    public void Failed_attach_closes_all_handles()
    {
        using var file = OpenHandle(failAt: 3);
        OpenBackend([]);
        Assert.Throws<IOException>(() => _backend.AttachTargets([file]));
        Assert.Equal((3, 1), (_opened, _open));
        _backend.Close();
        Assert.Throws<IOException>(() => OpenBackend([file]));
    }

    private void OpenBackend(TargetHandle[] targets) =>
        _backend.Open(
            new BackendSetup
            {
                Slots = _slots,
                SlotCount = Slots,
                Buffers = _buffers,
                BufferBytes = Slots * Block,
                Targets = targets,
            }
        );

    private TargetHandle OpenHandle(int failAt)
    {
        if (_opened == failAt)
            throw new IOException("no more");
        _opened++;
        _open++;
        return new TargetHandle(File.OpenHandle(_path), _path, () => _open--) { Reopen = () => OpenHandle(failAt) };
    }

    private byte[] ReadAllBlocks()
    {
        var ready = stackalloc int[Slots];
        var completions = stackalloc IoCompletion[Slots];
        for (var i = 0; i < Slots; i++)
        {
            _slots[i].Buffer = _buffers + i * Block;
            (_slots[i].Offset, _slots[i].Length) = (i * Block, Block);
            ready[i] = i;
        }
        for (var done = _backend.SubmitAndReap(ready, Slots, long.MaxValue, completions); done < Slots; )
            done += _backend.SubmitAndReap(ready, 0, long.MaxValue, completions);
        return [.. Enumerable.Range(0, Slots).Select(GetFirstByte)];
    }

    private byte GetFirstByte(int slot) => _buffers[slot * Block];
}
