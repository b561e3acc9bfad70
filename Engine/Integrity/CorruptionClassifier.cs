using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>
/// Decides whether a pending write explains an unexpected checksum, and otherwise classifies it. Examines one read at a time.
/// </summary>
internal sealed unsafe class CorruptionClassifier(IntegrityTarget target, IntegrityErrorLog log)
{
    private const int MaxCandidates = 6;

    private readonly ChecksumMap _map = target.Map;
    private readonly int _size = target.Map.GroupSize;
    private readonly byte[] _candidates = new byte[MaxCandidates * BlockHeader.BlockSize];
    private readonly byte[] _expected = new byte[BlockHeader.BlockSize];

    /// <param name="found">Bytes of the read; the buffer can change after the call.</param>
    /// <param name="before">Expected content when the read was started, one entry per group; it can change after the call.</param>
    public void Verify(ReadOnlySpan<byte> found, long offset, ChecksumMapEntry* before, IoIntegrityPhase phase)
    {
        lock (log.SyncRoot)
        {
            var first = _map.GetGroup(offset);
            for (var i = 0; i < found.Length / _size; )
            {
                var group = found.Slice(i * _size, _size);
                if (IsAllowed(group, first + i, before[i]))
                    i++;
                else
                    i += Math.Max(1, ReportError(found[(i * _size)..], first + i, before + i, phase));
            }
        }
    }

    private bool IsAllowed(ReadOnlySpan<byte> found, long group, ChecksumMapEntry before)
    {
        var sum = BlockChecksum.Compute(found);
        var now = _map.Read(group);
        if (sum == before.Sum || sum == now.Sum)
            return true;
        return (((before.Number | now.Number) & ChecksumMap.Flags) != 0 || now.Number != before.Number)
            && IsExplainedByPendingWrites(found, group, ChecksumMap.GetWriteNumber(before), before.Sum);
    }

    /// <summary>
    /// Whether each word belongs to the last acknowledged content or to a newer write. Compares words instead of sectors, because a cache
    /// can return a write that is only partly done.
    /// </summary>
    private bool IsExplainedByPendingWrites(ReadOnlySpan<byte> found, long group, ulong oldest, ulong sum)
    {
        var offset = group * _size;
        var count = 0;
        foreach (var number in GetCandidateNumbers(found, group, oldest).Take(MaxCandidates))
            if (target.TryFill(_candidates.AsSpan(count * _size, _size), offset, number))
                count++;
        var words = MemoryMarshal.Cast<byte, ulong>(found);
        var known = MemoryMarshal.Cast<byte, ulong>(_candidates.AsSpan(0, count * _size));
        for (var i = 0; i < words.Length; i++)
        {
            var explained = false;
            for (var c = 0; c < count && !explained; c++)
                explained = known[c * words.Length + i] == words[i];
            if (explained)
                continue;
            // Content of an earlier run cannot be recreated.
            if (
                oldest != 0
                || (target.TryFill(_expected.AsSpan(0, _size), offset, 0) && BlockChecksum.Compute(_expected.AsSpan(0, _size)) == sum)
            )
                return false;
            log.AddUnverified(1);
            return true;
        }
        return true;
    }

    private int ReportError(ReadOnlySpan<byte> found, long group, ChecksumMapEntry* before, IoIntegrityPhase phase)
    {
        var number = ChecksumMap.GetWriteNumber(*before);
        var sum = BlockChecksum.Compute(found[.._size]);
        var now = ChecksumMap.GetWriteNumber(_map.Read(group));
        // A read that was started before a write was acknowledged can contain that write's damage.
        if (log.IsReported(target.Index, group, number, sum) || (now != number && log.IsReported(target.Index, group, now, sum)))
            return 1;
        var (first, count) = _map.FindExtent(group, target.LargestBlock / _size);
        var secondRead = ReadAgain(first, count, group, out var isAlone, out var isRight);
        var there = secondRead is null ? default : secondRead.AsSpan((int)(group - first) * _size, _size);
        // If a newer write was acknowledged in the meantime, other wrong bytes are damage of that write.
        isAlone &= ChecksumMap.GetWriteNumber(_map.Read(group)) == number;
        bool? isLasting = null;
        if (secondRead is not null && isRight)
            isLasting = false;
        else if (secondRead is not null && (isAlone || there.SequenceEqual(found[.._size])))
            isLasting = true;
        if (isLasting == true && log.IsReportedForPendingWrite(target.Index, group, number, sum))
            return 1;
        var inspections = InspectGroup(found[.._size], group, number, isRight ? there : default, phase);
        var error = new IoIntegrityError
        {
            Phase = phase,
            Path = target.Path,
            Time = DateTimeOffset.Now,
            Expected = DescribeWrite(number),
            IsLasting = isLasting,
        };
        var bad = inspections.FindIndex(l => l.State != SectorState.Right);
        var worst = bad < 0 ? new SectorInspection(SectorState.Wrong) : inspections.MaxBy(l => GetSeverity(l.State));
        error.Offset = group * _size + Math.Max(0, bad) * TestFileContent.SectorSize;
        error.Length = (inspections.FindLastIndex(l => l.State != SectorState.Right) + 1 - Math.Max(0, bad)) * TestFileContent.SectorSize;
        if (error.Length <= 0)
            error.Length = _size;
        if (worst.State == SectorState.Old)
            return ReportOldContent(found, group, before, first, count, secondRead: secondRead, inspections: inspections, error);
        var reported = CountGroupsWithSameFault(found, group, before, worst, phase, error);
        switch (worst.State)
        {
            case SectorState.NotRead:
                error.Kind = IoIntegrityErrorKind.NotRead;
                error.Found = "what the buffer contained before the read";
                break;
            case SectorState.Zero:
                error.Kind = IoIntegrityErrorKind.Zeros;
                error.Found = "zeros";
                break;
            case SectorState.OtherPlace:
                return ReportMisdirected(found[..(reported * _size)], group, worst, before, error);
            case SectorState.Flipped:
                var flipped = inspections.FindIndex(l => l.State == SectorState.Flipped);
                error.Kind = IoIntegrityErrorKind.BitFlip;
                error.Found = FormattableString.Invariant(
                    $"{NumberFormat.PluralizeGrouped(inspections.Sum(l => l.Bits), "changed bit")}; the first is bit {worst.FirstBit % 8} of the byte at offset {group * _size + flipped * TestFileContent.SectorSize + worst.FirstBit / 8:#,##0}"
                );
                break;
            default:
                error.Kind = IoIntegrityErrorKind.WrongContent;
                error.Found = "bytes that were never written to this file";
                break;
        }
        if (worst.State != SectorState.NotRead)
            AcceptDamageIfPersistent(found[..(reported * _size)], group, before, error);
        log.Add(error, target.Index, number);
        return reported;
    }

    private int ReportOldContent(
        ReadOnlySpan<byte> found,
        long group,
        ChecksumMapEntry* before,
        long first,
        int count,
        byte[]? secondRead,
        List<SectorInspection> inspections,
        IoIntegrityError error
    )
    {
        var number = ChecksumMap.GetWriteNumber(*before);
        if (log.IsMisdirected(target.Index, number))
        {
            // The write was found at another offset before it was acknowledged, or while reads of its own offset were pending.
            AcceptDamage(found[.._size], group, number);
            return 1;
        }
        var old = inspections.First(l => l.State == SectorState.Old);
        error.Found = DescribeWrite(old.Number);
        var reported = 1;
        var states = new List<SectorInspection>();
        for (var i = 0; i < count && error.IsLasting == true; i++)
            states.AddRange(InspectGroup(secondRead.AsSpan(i * _size, _size), first + i, number, default, IoIntegrityPhase.FinalPass));
        var from = states.FindIndex(s => s.State == SectorState.Old);
        if (from < 0)
        {
            // The error is not persistent, or another error is persistent.
            error.Kind = IoIntegrityErrorKind.StaleRead;
            while (
                reported * _size < found.Length
                && group + reported < first + count
                && before[reported].Number == before->Number
                && HasOldContent(found.Slice(reported * _size, _size), group + reported, number)
            )
                reported++;
            error.Length = Math.Max(error.Length, (group + reported) * _size - error.Offset);
            log.Add(error, target.Index, number);
            return reported;
        }
        // A newer pending write does not make this write a torn write.
        var isTorn = states.Exists(s => s.State == SectorState.Right && s.Number <= number);
        error.Kind = isTorn ? IoIntegrityErrorKind.TornWrite : IoIntegrityErrorKind.LostWrite;
        error.Offset = first * _size + from * TestFileContent.SectorSize;
        error.Length = Math.Max(1, states.FindLastIndex(s => s.State == SectorState.Old) + 1 - from) * TestFileContent.SectorSize;
        if (isTorn)
            error.Found = FormattableString.Invariant(
                $"{states.Count(s => s.State == SectorState.Right)} of the {states.Count} sectors of this write; the other sectors contain {DescribeWrite(old.Number)}"
            );
        for (var i = 0; i < count; i++)
            AcceptDamage(secondRead.AsSpan(i * _size, _size), first + i, number);
        log.Add(error, target.Index, number);
        return (int)Math.Min(found.Length / _size, first + count - group);
    }

    private int ReportMisdirected(
        ReadOnlySpan<byte> found,
        long group,
        SectorInspection inspection,
        ChecksumMapEntry* before,
        IoIntegrityError error
    )
    {
        var number = ChecksumMap.GetWriteNumber(*before);
        var reported = found.Length / _size;
        error.Found =
            inspection.Number == 0
                ? FormattableString.Invariant($"the content that was at offset {inspection.Place:#,##0} before the test")
                : FormattableString.Invariant($"{DescribeWrite(inspection.Number)} to offset {inspection.Place:#,##0}");
        error.Kind = IoIntegrityErrorKind.MisdirectedRead;
        AcceptDamageIfPersistent(found, group, before, error);
        // Content from before the run cannot have been misdirected during the run.
        if (error.IsLasting != true || inspection.Number == 0)
        {
            log.Add(error, target.Index, number);
            return reported;
        }
        error.Kind = IoIntegrityErrorKind.MisdirectedWrite;
        error.Expected = FormattableString.Invariant(
            $"write {inspection.Number >> VerifiableContent.ThreadBits:#,##0} of thread {inspection.Number & ((1 << VerifiableContent.ThreadBits) - 1)} at this offset"
        );
        var at = error.Offset;
        error.Offset = inspection.Place;
        error.Found = FormattableString.Invariant(
            $"this write at offset {at:#,##0} instead. That offset should contain {DescribeWrite(number)}"
        );
        // If no newer write followed, the write's own offset still holds the earlier content. It is the same error.
        var own = _map.GetGroup(inspection.Place);
        if (own < _map.Count && ChecksumMap.GetWriteNumber(_map.Read(own)) == inspection.Number)
        {
            var (first, count) = _map.FindExtent(own, target.LargestBlock / _size);
            if (target.ReadAgain(first, count) is { } there)
                for (var i = 0; i < count; i++)
                    AcceptDamage(there.AsSpan(i * _size, _size), first + i, inspection.Number);
        }
        log.AddMisdirected(error, target.Index, inspection.Number);
        return reported;
    }

    private int CountGroupsWithSameFault(
        ReadOnlySpan<byte> found,
        long group,
        ChecksumMapEntry* before,
        SectorInspection worst,
        IoIntegrityPhase phase,
        IoIntegrityError error
    )
    {
        var reported = 1;
        if (worst.State is SectorState.Flipped)
            return reported;
        for (; reported * _size < found.Length; reported++)
        {
            var next = found.Slice(reported * _size, _size);
            if (IsAllowed(next, group + reported, before[reported]))
                break;
            var inspections = InspectGroup(next, group + reported, ChecksumMap.GetWriteNumber(before[reported]), default, phase);
            var other = inspections.MaxBy(l => GetSeverity(l.State));
            if (
                other.State != worst.State
                || (
                    other.State == SectorState.OtherPlace
                    && (other.Number != worst.Number || other.Place / _size != worst.Place / _size + reported)
                )
            )
                break;
            error.Length = (group + reported + 1) * _size - error.Offset;
        }
        return reported;
    }

    private bool HasOldContent(ReadOnlySpan<byte> found, long group, ulong number) =>
        InspectGroup(found, group, number, default, IoIntegrityPhase.FinalPass).Exists(l => l.State == SectorState.Old);

    private List<SectorInspection> InspectGroup(
        ReadOnlySpan<byte> found,
        long group,
        ulong number,
        ReadOnlySpan<byte> secondRead,
        IoIntegrityPhase phase
    )
    {
        var inspections = new List<SectorInspection>();
        // Expected content: the second read if it was right, otherwise the recreated content.
        var expected = secondRead;
        if (secondRead.Length == 0 && target.TryFill(_expected.AsSpan(0, _size), group * _size, number))
            expected = _expected.AsSpan(0, _size);
        for (var at = 0; at < _size; at += TestFileContent.SectorSize)
            inspections.Add(
                SectorInspection.Inspect(
                    found.Slice(at, TestFileContent.SectorSize),
                    group * _size + at,
                    number,
                    target,
                    expected.Length == 0 ? default : expected.Slice(at, TestFileContent.SectorSize),
                    phase == IoIntegrityPhase.Test
                )
            );
        // A flipped bit can be in any write from the expected one on, because newer writes can have arrived, even before the second read.
        if (inspections.Exists(l => l.State == SectorState.Wrong))
            foreach (var candidate in GetCandidateNumbers(found, group, number))
                if (target.TryFill(_expected.AsSpan(0, _size), group * _size, candidate))
                    for (var i = 0; i < inspections.Count; i++)
                        if (inspections[i].State == SectorState.Wrong)
                            inspections[i] = SectorInspection.Inspect(
                                found.Slice(i * TestFileContent.SectorSize, TestFileContent.SectorSize),
                                group * _size + i * TestFileContent.SectorSize,
                                candidate,
                                target,
                                _expected.AsSpan(i * TestFileContent.SectorSize, TestFileContent.SectorSize),
                                isPoisoned: false
                            );
        // Content without a block header is recognized by its checksum, if the whole group is at the wrong offset.
        if (!inspections.TrueForAll(l => l.State == SectorState.Wrong))
            return inspections;
        var elsewhere = _map.FindChecksum(BlockChecksum.Compute(found));
        if (elsewhere >= 0 && elsewhere != group)
            return
            [
                .. inspections.Select(
                    (_, i) =>
                        new SectorInspection(
                            SectorState.OtherPlace,
                            ChecksumMap.GetWriteNumber(_map.Read(elsewhere)),
                            elsewhere * _size + i * TestFileContent.SectorSize
                        )
                ),
            ];
        return inspections;
    }

    private IEnumerable<ulong> GetCandidateNumbers(ReadOnlySpan<byte> found, long group, ulong number)
    {
        var numbers = new HashSet<ulong> { number, ChecksumMap.GetWriteNumber(_map.Read(group)), _map.GetLastClaim(group) };
        for (var at = 0; at < _size; at += TestFileContent.SectorSize)
            if (target.Content.HasHeader(found.Slice(at, TestFileContent.SectorSize), group * _size + at, out var stamped))
                numbers.Add(stamped);
        return numbers.Where(n => n >= number);
    }

    /// <summary>
    /// Null if the groups cannot be read. While a newer write is pending, equal wrong bytes show a persistent error, and right bytes a
    /// transient one; any other content shows nothing.
    /// </summary>
    /// <param name="isAlone">Receives whether no write could interfere.</param>
    /// <param name="isRight">Receives whether the suspect group had the expected content at that time.</param>
    private byte[]? ReadAgain(long first, int count, long group, out bool isAlone, out bool isRight)
    {
        isAlone = _map.TryClaim(first, count, out _);
        try
        {
            // Read the expected checksum before the data, because the next write can be acknowledged in between.
            var before = _map.Read(group).Sum;
            var bytes = target.ReadAgain(first, count);
            var sum = bytes is null ? 0 : BlockChecksum.Compute(bytes.AsSpan((int)(group - first) * _size, _size));
            isRight = bytes is not null && (sum == before || sum == _map.Read(group).Sum);
            return bytes;
        }
        finally
        {
            if (isAlone)
                _map.ReleaseClaim(first, count);
        }
    }

    private void AcceptDamageIfPersistent(ReadOnlySpan<byte> found, long group, ChecksumMapEntry* before, IoIntegrityError error)
    {
        for (var i = 0; i < found.Length / _size && error.IsLasting == true; i++)
            AcceptDamage(found.Slice(i * _size, _size), group + i, ChecksumMap.GetWriteNumber(before[i]));
    }

    /// <summary>
    /// Makes reported persistent damage the expected content, so that it is reported once. Not while a newer write is pending or
    /// acknowledged, because its own damage must still be reported.
    /// </summary>
    private void AcceptDamage(ReadOnlySpan<byte> reported, long group, ulong number)
    {
        var sum = BlockChecksum.Compute(reported);
        log.MarkReported(target.Index, group, number, sum, isPending: false);
        var isClaimed = _map.TryClaim(group, 1, out _);
        // Read the claim first. If a write is acknowledged in between, the number is the newer one.
        var claim = _map.GetLastClaim(group);
        var now = ChecksumMap.GetWriteNumber(_map.Read(group));
        if (now != number)
            log.MarkReported(target.Index, group, now, sum, isPending: true);
        if (!isClaimed)
        {
            // Damage by a pending write remains the same damage after the write is acknowledged.
            log.MarkReported(target.Index, group, claim, sum, isPending: true);
            return;
        }
        if (target.ReadAgain(group, 1) is { } there && (now == number || BlockChecksum.Compute(there) == sum))
            _map.SetChecksum(group, BlockChecksum.Compute(there));
        _map.ReleaseClaim(group, 1);
    }

    private static int GetSeverity(SectorState state) =>
        state switch
        {
            SectorState.NotRead => 6,
            SectorState.Zero => 5,
            SectorState.OtherPlace => 4,
            SectorState.Flipped => 3,
            SectorState.Wrong => 2,
            SectorState.Old => 1,
            _ => 0,
        };

    internal static string DescribeWrite(ulong number) =>
        number == 0
            ? "the content from before the test"
            : FormattableString.Invariant(
                $"write {number >> VerifiableContent.ThreadBits:#,##0} of thread {number & ((1 << VerifiableContent.ThreadBits) - 1)}"
            );
}
