using System.Globalization;
using System.Text;

namespace IoBench.Engine;

/// <summary>Reads the log of a witness once, from its beginning to its end or to the first damaged record.</summary>
internal sealed class WitnessLog : IDisposable
{
    /// <summary>Maximum size of a log in bytes. It limits the disk space of a listener, and the time that reading takes.</summary>
    public const long MaxBytes = 4L << 30;

    private readonly string _path;
    private readonly Stream _stream;
    private long _position;

    private WitnessLog(string path, Stream stream, WitnessHeader header)
    {
        _path = path;
        _stream = stream;
        Header = header;
    }

    public WitnessHeader Header { get; }

    /// <summary>Acknowledged writes in the part that was read.</summary>
    public long WriteCount { get; private set; }

    /// <summary>Whether the run ended by itself.</summary>
    public bool IsEnded { get; private set; }

    /// <summary>
    /// Describes what is damaged or missing, as a full sentence; null if the log is complete. The last record of a log that the computer
    /// under test wrote itself can be incomplete, because that computer crashed.
    /// </summary>
    public string? Damage { get; private set; }

    /// <param name="damage">Why no record can be used, as a full sentence; null if the header is complete.</param>
    /// <returns>null if the log is empty, or its header is cut off or damaged.</returns>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>; <c>IoBench.InvalidWitness</c>: the file is not a log.</exception>
    public static WitnessLog? Open(string path, out string? damage)
    {
        var stream = new BufferedStream(InputFiles.Open(path), 1 << 20);
        try
        {
            if (stream.Length > MaxBytes)
                throw IoBenchException.InvalidData(
                    "IoBench.InvalidWitness",
                    $"{path} is {IoSize.Format(stream.Length)}. The log of a witness is at most {IoSize.Format(MaxBytes)}.",
                    path
                );
            var head = ReadHeader(path, stream, out var length, out damage);
            if (head is not null)
                return new WitnessLog(path, stream, head) { _position = length };
            stream.Dispose();
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            stream.Dispose();
            throw CreateReadError(path, e);
        }
        catch
        {
            stream.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Reads all records and returns the last durable write of each group. Write-through: every acknowledged write is durable. Flush: every
    /// write that a thread had acknowledged before it started a flush that was acknowledged.
    /// </summary>
    public Dictionary<long, (WitnessRecord Write, long Order)> FindDurableWrites(
        int target,
        out long count,
        CancellationToken token = default
    )
    {
        var promised = new Dictionary<long, (WitnessRecord Write, long Order)>();
        var waiting = new Dictionary<ushort, List<(WitnessRecord Write, long Order)>>();
        var begun = new Dictionary<ushort, Queue<int>>();
        count = 0;
        foreach (var record in ReadRecords())
        {
            token.ThrowIfCancellationRequested();
            if (record.Kind == WitnessRecordKind.Write)
                WriteCount++;
            if (record.Target != target)
                continue;
            if (Header.IsWriteThrough)
            {
                if (record.Kind == WitnessRecordKind.Write)
                    AddDurableWrite(promised, (record, WriteCount), ref count);
                continue;
            }
            var writes = GetOrAdd(waiting, record.Thread);
            var flushes = GetOrAdd(begun, record.Thread);
            switch (record.Kind)
            {
                case WitnessRecordKind.Write:
                    writes.Add((record, WriteCount));
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

    public void Dispose() => _stream.Dispose();

    private IEnumerable<WitnessRecord> ReadRecords()
    {
        var bytes = new byte[WitnessRecord.Size];
        var count = 0L;
        while (true)
        {
            var length = ReadBytes(bytes);
            if (length == 0)
            {
                if (Header.IsFromListener)
                    Damage = DescribeDamage("The log is incomplete, because its last record is missing.", count);
                yield break;
            }
            if (length < WitnessRecord.Size)
            {
                if (Header.IsFromListener)
                    Damage = DescribeDamage(
                        string.Create(CultureInfo.InvariantCulture, $"The record at byte {_position:#,##0} is incomplete."),
                        count
                    );
                yield break;
            }
            var record = WitnessRecord.Parse(bytes);
            if ((record is { } parsed ? parsed.FindError(Header) : "its checksum is wrong") is { } error)
            {
                Damage = DescribeDamage(
                    string.Create(CultureInfo.InvariantCulture, $"The record at byte {_position:#,##0} is damaged: {error}."),
                    count
                );
                yield break;
            }
            _position += length;
            if (record!.Value.Kind is WitnessRecordKind.End or WitnessRecordKind.Disconnected)
            {
                IsEnded = record.Value.Kind == WitnessRecordKind.End;
                if (ReadBytes(bytes) > 0)
                    Damage = DescribeDamage(
                        string.Create(CultureInfo.InvariantCulture, $"There is data at byte {_position:#,##0}, after the last record."),
                        count
                    );
                yield break;
            }
            count++;
            yield return record.Value;
        }
    }

    private string DescribeDamage(string what, long count)
    {
        var rest = _stream.Length - _position;
        var unused = rest > 0 ? string.Create(CultureInfo.InvariantCulture, $", and ignored the last {rest:#,##0} bytes") : "";
        return $"{what} IoBench used {NumberFormat.PluralizeGrouped(count, "valid record")}{unused}.";
    }

    private int ReadBytes(byte[] bytes)
    {
        try
        {
            return _stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw CreateReadError(_path, e);
        }
    }

    private void AddDurableWrite(
        Dictionary<long, (WitnessRecord Write, long Order)> promised,
        (WitnessRecord Write, long Order) write,
        ref long count
    )
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

    private static WitnessHeader? ReadHeader(string path, Stream stream, out int length, out string? damage)
    {
        var bytes = new byte[WitnessHeader.MaxBytes];
        var count = stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
        var head = bytes.AsSpan(0, count);
        var first = Encoding.ASCII.GetBytes(WitnessHeader.FirstLine);
        var common = Math.Min(count, first.Length);
        if (!head[..common].SequenceEqual(first.AsSpan(0, common)))
            throw IoBenchException.InvalidData(
                "IoBench.InvalidWitness",
                $"{path} is not an IoBench write witness.",
                path,
                advice: $"Specify the file that {OptionNames.Witness} or {IoCommand.Witness} wrote."
            );
        length = WitnessHeader.FindLength(head);
        var header = length == 0 ? null : WitnessHeader.Parse(Encoding.UTF8.GetString(head[..length]));
        damage = (header, count, length) switch
        {
            (not null, _, _) => null,
            (_, 0, _) => "The witness is empty.",
            (_, _, 0) => "The header of the witness is incomplete, so the witness has no records.",
            _ => "The header of the witness is damaged, so no record can be used.",
        };
        stream.Position = length;
        return header;
    }

    private static IoBenchException CreateReadError(string path, Exception e) =>
        IoBenchException.NotFound(
            "IoBench.FileNotFound",
            $"IoBench cannot read the write witness from {path}: {FileErrors.GetMessage(e)}.",
            path
        );
}
