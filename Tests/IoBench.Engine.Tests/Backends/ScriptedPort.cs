
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

    /// <summary>The batches that the port gives, one a call: which of <see cref="OnTheirWay"/> (by number of start), with which error.</summary>
    public Queue<(int Start, int Error)[]> Batches { get; } = new();

    public List<nint> Structures { get; } = [];
    public List<int> Lengths { get; } = [];
    public int Cancels { get; set; }
    public bool Closed { get; set; }
    public Action? OnCancel { get; set; }

    internal int Start(IoSlot* slot, OverlappedBlock* overlapped)
    {
        var number = Started.Count;
        Started.Add(((long)overlapped->OffsetHigh << 32) | overlapped->OffsetLow);
        Structures.Add((nint)overlapped);
        Lengths.Add(slot->Length);
        return FailAtOnce.GetValueOrDefault(number);
    }

    internal int Dequeue(CompletionPacket* packets, int most)
    {
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
    public int Flush(int target) => 0;
    public int Dequeue(CompletionPacket* packets, int most, uint milliseconds) => script.Dequeue(packets, most);
    public void Cancel()
    {
        script.Cancels++;
        script.OnCancel?.Invoke();
    }
    public void Close() => script.Closed = true;
}
