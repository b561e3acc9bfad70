using System.Text;

namespace IoBench.Engine;

/// <param name="Order">Position among all acknowledged writes.</param>
internal readonly record struct DurableWrite(WitnessRecord Write, long Order);

internal sealed class WitnessLog
{
    private readonly List<WitnessRecord> _records = [];

    public required WitnessHeader Header { get; init; }

    public long WriteCount => _records.LongCount(r => r.Kind == WitnessRecordKind.Write);

    public bool IsEnded { get; private set; }

    public bool IsTruncated { get; private set; }

    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.InvalidWitness</c>.</exception>
    public static WitnessLog Read(string path)
    {
        try
        {
            using var file = InputFiles.Open(path);
            using var stream = new BufferedStream(file, 1 << 20);
            var head =
                ReadHeader(stream)
                ?? throw IoBenchException.InvalidData(
                    "IoBench.InvalidWitness",
                    $"{path} is not a witness of IoBench.",
                    path,
                    advice: $"Name the file that {OptionNames.Witness} or {IoCommand.Witness} wrote."
                );
            var log = new WitnessLog { Header = head };
            var record = new byte[WitnessRecord.Size];
            while (true)
            {
                var length = stream.ReadAtLeast(record, WitnessRecord.Size, throwOnEndOfStream: false);
                if (length == 0)
                    break;
                // The first incomplete record and everything after it cannot be trusted.
                if (length < WitnessRecord.Size || WitnessRecord.Parse(record) is not { } read || read.Target >= head.Targets.Count)
                {
                    log.IsTruncated = true;
                    break;
                }
                log.IsEnded |= read.Kind == WitnessRecordKind.End;
                log._records.Add(read);
            }
            return log;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw IoBenchException.NotFound(
                "IoBench.FileNotFound",
                $"the witness cannot be read from {path}: {FileErrors.GetMessage(e)}.",
                path
            );
        }
    }

    /// <summary>
    /// Returns the last durable write of each group. Write-through: every acknowledged write is durable. Flush: every write that a thread
    /// had acknowledged before it started a flush that was acknowledged.
    /// </summary>
    public Dictionary<long, DurableWrite> FindDurableWrites(int target, out long count)
    {
        var promised = new Dictionary<long, DurableWrite>();
        var waiting = new Dictionary<ushort, List<DurableWrite>>();
        var begun = new Dictionary<ushort, Queue<int>>();
        var order = 0L;
        count = 0;
        foreach (var record in _records)
        {
            if (record.Kind == WitnessRecordKind.Write)
                order++;
            if (record.Target != target)
                continue;
            if (Header.Durability == DurabilityLevel.WriteThrough)
            {
                if (record.Kind == WitnessRecordKind.Write)
                    AddDurableWrite(promised, new DurableWrite(record, order), ref count);
                continue;
            }
            var writes = GetOrAdd(waiting, record.Thread);
            var flushes = GetOrAdd(begun, record.Thread);
            switch (record.Kind)
            {
                case WitnessRecordKind.Write:
                    writes.Add(new DurableWrite(record, order));
                    break;
                case WitnessRecordKind.FlushBegun:
                    flushes.Enqueue(writes.Count);
                    break;
                case WitnessRecordKind.FlushDone when flushes.TryDequeue(out var covered):
                    for (var i = 0; i < covered; i++)
                        AddDurableWrite(promised, writes[i], ref count);
                    writes.RemoveRange(0, covered);
                    begun[record.Thread] = new Queue<int>(flushes.Select(f => f - covered));
                    break;
            }
        }
        return promised;
    }

    private void AddDurableWrite(Dictionary<long, DurableWrite> promised, DurableWrite write, ref long count)
    {
        count++;
        var size = Header.GroupSize;
        for (var group = write.Write.Offset / size; group < (write.Write.Offset + write.Write.Length) / size; group++)
            if (!promised.TryGetValue(group, out var other) || other.Write.Number < write.Write.Number)
                promised[group] = write;
    }

    private static T GetOrAdd<T>(Dictionary<ushort, T> all, ushort thread)
        where T : new()
    {
        if (!all.TryGetValue(thread, out var one))
        {
            one = new T();
            all.Add(thread, one);
        }
        return one;
    }

    private static WitnessHeader? ReadHeader(Stream stream)
    {
        var bytes = new List<byte>();
        while (bytes.Count < WitnessHeader.MaxBytes)
        {
            var next = stream.ReadByte();
            if (next < 0)
                return null;
            bytes.Add((byte)next);
            if (bytes.Count == WitnessHeader.FirstLine.Length && Encoding.UTF8.GetString([.. bytes]) != WitnessHeader.FirstLine)
                return null;
            if (next == '\n' && bytes.Count > 5 && bytes[^2] == 'd' && bytes[^3] == 'n' && bytes[^4] == 'e' && bytes[^5] == '\n')
                return WitnessHeader.Parse(Encoding.UTF8.GetString([.. bytes]));
        }
        return null;
    }
}
