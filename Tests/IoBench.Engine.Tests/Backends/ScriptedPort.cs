namespace IoBench.Engine.Tests;

/// <summary>A completion port that does what a test says: decides how each start ends and in which order packets come.</summary>
internal sealed unsafe class PortScript
{
    /// <summary>Structures of I/Os on their way, in the order of their start.</summary>
    public List<nint> OnTheirWay { get; } = [];

    /// <summary>Offsets in the order of their start.</summary>
    public List<long> Started { get; } = [];

    /// <summary>Win32 error of the start with that number (from 0), when it fails at once.</summary>
    public Dictionary<int, int> FailAtOnce { get; } = [];

    /// <summary>Also queue a packet for what failed at once.</summary>
    public bool QueuePacketOfFailure { get; set; }

    /// <summary>The batches that the port gives, one per call: which of <see cref="OnTheirWay"/> (by number of start), with which error.</summary>
    public Queue<(int Start, int Error)[]> Batches { get; } = new();

    public List<nint> Structures { get; } = [];
    public List<int> Lengths { get; } = [];
    public int Cancels { get; set; }
    public bool Closed { get; set; }
    public long DoneAtOnce { get; set; }
    public Action? OnCancel { get; set; }

    /// <summary>What a flush does, on whichever thread asks for it; its Win32 error.</summary>
    public Func<int> OnFlush { get; set; } = () => 0;

    /// <summary>Structures that were posted: their packets come before those of the batches.</summary>
    public System.Collections.Concurrent.BlockingCollection<nint> Posted { get; } = [];

    internal int Start(IoSlot* slot, OverlappedBlock* overlapped)
    {
        var number = Started.Count;
        Started.Add(((long)overlapped->OffsetHigh << 32) | overlapped->OffsetLow);
        Structures.Add((nint)overlapped);
        Lengths.Add(slot->Length);
        return FailAtOnce.GetValueOrDefault(number);
    }

    internal int Dequeue(CompletionPacket* packets, int most, uint milliseconds)
    {
        var wait = Batches.Count == 0 && milliseconds == uint.MaxValue ? TimeSpan.FromSeconds(60) : TimeSpan.Zero;
        if (Posted.TryTake(out var posted, wait))
        {
            packets[0] = new CompletionPacket { Overlapped = (OverlappedBlock*)posted };
            return 1;
        }
        if (!Batches.TryDequeue(out var batch))
            return 0;
        Assert.True(batch.Length <= most);
        for (var i = 0; i < batch.Length; i++)
        {
            var (start, error) = batch[i];
            packets[i] = new CompletionPacket
            {
                Overlapped = (OverlappedBlock*)Structures[start],
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

    public long DoneAtOnce => script.DoneAtOnce;

    public int Flush(int target) => script.OnFlush();

    public int Dequeue(CompletionPacket* packets, int most, uint milliseconds) => script.Dequeue(packets, most, milliseconds);

    public void Post(OverlappedBlock* overlapped) => script.Posted.Add((nint)overlapped);

    public void Cancel()
    {
        script.Cancels++;
        script.OnCancel?.Invoke();
    }

    public void Close() => script.Closed = true;
}
