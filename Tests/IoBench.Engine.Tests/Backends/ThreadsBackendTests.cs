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
    public void Each_thread_has_a_handle_of_its_own_also_of_a_file_that_comes_after_it(bool comesLater)
    {
        using var file = Open(failAt: int.MaxValue);
        Begin(comesLater ? [] : [file]);
        if (comesLater)
        {
            Assert.Equal(1, _open);
            _backend.Attach([file]);
        }
        Assert.Equal(Slots, _open);
        Assert.Equal(Enumerable.Range(1, Slots).Select(i => (byte)i), ReadAll());
        _backend.Close();
        // The caller owns the first handle, so the backend does not close it.
        Assert.Equal(1, _open);
    }

    [Fact]
    public void A_file_that_cannot_be_opened_for_each_thread_leaves_nothing_open()
    {
        using var file = Open(failAt: 3);
        Begin([]);
        Assert.Throws<IOException>(() => _backend.Attach([file]));
        Assert.Equal((3, 1), (_opened, _open));
        _backend.Close();
        Assert.Throws<IOException>(() => Begin([file]));
    }

    private void Begin(TargetHandle[] targets) =>
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

    private TargetHandle Open(int failAt)
    {
        if (_opened == failAt)
            throw new IOException("no more");
        _opened++;
        _open++;
        return new TargetHandle(File.OpenHandle(_path), _path, () => _open--) { Another = () => Open(failAt) };
    }

    private byte[] ReadAll()
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
        return [.. Enumerable.Range(0, Slots).Select(FirstByte)];
    }

    private byte FirstByte(int slot) => _buffers[slot * Block];
}
