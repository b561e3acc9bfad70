namespace IoBench.Engine.Tests;

internal sealed unsafe class PortScript
{
    public List<nint> OutstandingBlocks { get; } = [];

    public List<long> StartedOffsets { get; } = [];

    /// <summary>Win32 error by number of the start (from 0) if it fails immediately.</summary>
    public Dictionary<int, int> ImmediateErrors { get; } = [];

    public bool QueuesPacketAfterFailure { get; set; }

    /// <summary>Batches that the port returns, one per call: the number of the start and its error.</summary>
    public Queue<(int Start, int Error)[]> PacketBatches { get; } = new();

    public List<nint> StartedBlocks { get; } = [];
    public List<int> Lengths { get; } = [];
    public int Cancels { get; set; }
    public bool IsClosed { get; set; }
    public long SynchronousCompletions { get; set; }
    public Action? OnCancel { get; set; }

    /// <summary>Runs for a flush, on the thread that requests it. Returns a Win32 error.</summary>
    public Func<int> OnFlush { get; set; } = () => 0;

    /// <summary>Posted blocks. Their packets come before those of the batches.</summary>
    public System.Collections.Concurrent.BlockingCollection<nint> PostedBlocks { get; } = [];

    internal int Start(IoSlot* slot, OverlappedBlock* overlapped)
    {
        var number = StartedOffsets.Count;
        StartedOffsets.Add(((long)overlapped->OffsetHigh << 32) | overlapped->OffsetLow);
        StartedBlocks.Add((nint)overlapped);
        Lengths.Add(slot->Length);
        return ImmediateErrors.GetValueOrDefault(number);
    }

    internal int Dequeue(CompletionPacket* packets, int most, uint milliseconds)
    {
        var wait = PacketBatches.Count == 0 && milliseconds == uint.MaxValue ? TimeSpan.FromSeconds(60) : TimeSpan.Zero;
        if (PostedBlocks.TryTake(out var posted, wait))
        {
            packets[0] = new CompletionPacket { Overlapped = (OverlappedBlock*)posted };
            return 1;
        }
        if (!PacketBatches.TryDequeue(out var batch))
            return 0;
        Assert.True(batch.Length <= most);
        for (var i = 0; i < batch.Length; i++)
        {
            var (start, error) = batch[i];
            packets[i] = new CompletionPacket
            {
                Overlapped = (OverlappedBlock*)StartedBlocks[start],
                Bytes = error == 0 ? (uint)Lengths[start] : 0,
                Error = error,
            };
        }
        return batch.Length;
    }
}

internal readonly unsafe struct ScriptedPort(PortScript script) : ICompletionPort
{
    public void Open(TargetHandle[] targets) { }

    public int Start(IoSlot* slot, OverlappedBlock* overlapped) => script.Start(slot, overlapped);

    public long SynchronousCompletions => script.SynchronousCompletions;

    public int Flush(int target) => script.OnFlush();

    public int Dequeue(CompletionPacket* packets, int most, uint milliseconds) => script.Dequeue(packets, most, milliseconds);

    public void Post(OverlappedBlock* overlapped) => script.PostedBlocks.Add((nint)overlapped);

    public void Cancel()
    {
        script.Cancels++;
        script.OnCancel?.Invoke();
    }

    public void Close() => script.IsClosed = true;
}
