using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>
/// Verifies after a crash that the durable writes of a witness file are on disk. Changes only the file's ownership marker, to keep the file
/// as evidence.
/// </summary>
public sealed class CrashVerification
{
    private readonly SafeFileHandle _handle;
    private readonly string _path;
    private readonly VerifiableContent _content;
    private readonly SectorVerifier? _proof;
    private readonly int _size;
    private readonly byte[] _made = new byte[BlockHeader.BlockSize];

    private CrashVerification(SafeFileHandle handle, string path, WitnessTarget target, WitnessHeader head, OwnershipMarker? mark)
    {
        _handle = handle;
        _path = path;
        _size = head.GroupSize;
        _content = new VerifiableContent(target.Seed, head.Run, target.Compressible);
        _proof = mark is { HasUnrecognizableContent: false } ? new SectorVerifier(mark.WithWriteSeed(target.Seed)) : null;
    }

    /// <param name="path">The file or device that the run wrote to.</param>
    /// <exception cref="IoBenchException">The file or the witness cannot be read, or they do not belong together.</exception>
    public static IoTestResult Run(string path, string witness, CancellationToken token = default)
    {
        using var log = WitnessLog.Open(witness, out var damage);
        var found = TargetPath.Resolve(path);
        if (found.Status is null)
            throw FileErrors.NotFound(found.Path);
        var result = new IoTestResult
        {
            Source = IoTestResult.OwnSource,
            ToolVersion = IoTestResult.OwnVersion,
            RunId = Guid.NewGuid().ToString("N"),
            Status = IoResultStatus.Complete,
            Label = "after a crash",
            ComputerName = Environment.MachineName,
            StartTime = DateTimeOffset.Now,
            Path = found.Path,
            TargetCount = 1,
        };
        if (log is null)
        {
            result.Integrity = CreateNotVerified(witness, damage);
            return result;
        }
        using var handle = PlatformFiles.Current.OpenToRead(found.Path);
        var mark = OwnershipMarker.ReadText(handle, found.Path) is { } text ? OwnershipMarker.Parse(text) : null;
        VerifyWrites(result, log, witness, handle, mark, token);
        return result;
    }

    private static void VerifyWrites(
        IoTestResult result,
        WitnessLog log,
        string witness,
        SafeFileHandle handle,
        OwnershipMarker? mark,
        CancellationToken token
    )
    {
        var path = result.Path!;
        var index = log.Header.Targets.ToList().FindIndex(t => t.Id.Length > 0 ? t.Id == mark?.Id : t.Path == path);
        if (index < 0)
            throw IoBenchException.Refused(
                "IoBench.WitnessOfOther",
                $"{path} is not one of the files listed in {witness} ({string.Join(", ", log.Header.Targets.Select(t => t.Path))}).",
                path,
                advice: "Specify one of these files."
            );
        var target = log.Header.Targets[index];
        // Otherwise, memory and time would not be limited by the size of the file.
        if (mark is not null && target.Size > mark.Size)
        {
            var reason = FormattableString.Invariant(
                $"The header of the witness is damaged: the header describes a file of {target.Size:#,##0} bytes, but the file has {mark.Size:#,##0} bytes."
            );
            result.Integrity = CreateNotVerified(witness, reason);
            return;
        }
        var promised = log.FindDurableWrites(index, out var count, token);
        var integrity = new CrashVerification(handle, path, target, log.Header, mark).Verify(promised, token);
        var crash = integrity.Crash!;
        crash.WitnessPath = Path.GetFullPath(witness);
        crash.WriteCount = log.WriteCount;
        crash.PromisedCount = count;
        crash.IsEnded = log.IsEnded;
        crash.NotVerifiedReason = DescribeMissingRecords(log, count);
        crash.Promise = log.Header.IsWriteThrough
            ? "each write was durable when it was acknowledged (write-through)"
            : "writes were durable when a later flush was acknowledged";
        crash.Facts = target.Facts.ToDictionary(f => f.Key, f => f.Value);
        result.FileSizeMB = target.Size / 1048576.0;
        result.Integrity = integrity;
        if (log.IsEnded)
            result.AddWarning(
                new IoWarning(
                    WarningCodes.NoCrash,
                    $"According to {witness}, the run ended normally, so this check shows nothing about a power loss."
                )
            );
        if (integrity.ErrorCount == 0)
            return;
        result.Status = IoResultStatus.Failed;
        result.ErrorId = ErrorIds.IntegrityErrors;
        result.ErrorMessage = IntegrityMessages.Describe(integrity);
        if (mark is not null && KeepAsEvidence(handle, path, mark, integrity))
            integrity.Evidence.Add(path);
    }

    private static IoIntegrity CreateNotVerified(string witness, string? reason) =>
        new()
        {
            Crash = new IoCrashCheck { WitnessPath = Path.GetFullPath(witness), NotVerifiedReason = reason },
        };

    private static string? DescribeMissingRecords(WitnessLog log, long durable)
    {
        var missing =
            log.WriteCount == 0 ? "The witness contains no records of writes."
            : durable == 0 ? "The witness contains no record of a durable write to this file."
            : null;
        var parts = new[] { missing, log.Damage }.OfType<string>().ToArray();
        return parts.Length == 0 ? null : string.Join(" ", parts);
    }

    private static bool KeepAsEvidence(SafeFileHandle handle, string path, OwnershipMarker mark, IoIntegrity integrity)
    {
        try
        {
            OwnershipMarker.CloseAsEvidence(handle, path, mark, IntegrityMessages.Describe(integrity));
            return true;
        }
        catch (IoBenchException)
        {
            // A volume that is read-only after the crash preserves the evidence anyway.
            return false;
        }
    }

    private IoIntegrity Verify(Dictionary<long, (WitnessRecord Write, long Order)> promised, CancellationToken token)
    {
        var log = new IntegrityErrorLog();
        var crash = new IoCrashCheck();
        using var reader = new BlockReader(_handle, _path);
        var damaged = new List<WriteCheck>();
        var bytes = 0L;
        var lastThere = 0L;
        foreach (var write in promised.GroupBy(p => p.Value.Write.Number).OrderBy(g => g.Min(p => p.Key)))
        {
            var check = new WriteCheck(write.First().Value.Write, write.First().Value.Order);
            foreach (var (group, _) in write.OrderBy(p => p.Key))
            {
                token.ThrowIfCancellationRequested();
                InspectGroup(reader, group, write.Key, check);
                bytes += _size;
            }
            crash.CheckedCount++;
            if (check.DamagedCount == 0)
                lastThere = Math.Max(lastThere, check.Order);
            else
                damaged.Add(check);
        }
        foreach (var check in damaged)
        {
            var isOutOfOrder = check.Order < lastThere;
            var error = check.CreateError(_path, isOutOfOrder);
            log.Add(error, 0, check.Write.Number);
            crash.GoneCount += error.Kind == IoIntegrityErrorKind.LostWrite ? 1 : 0;
            crash.TornCount += error.Kind == IoIntegrityErrorKind.TornWrite ? 1 : 0;
            crash.OutOfOrderCount += isOutOfOrder ? 1 : 0;
        }
        var result = log.ToResult();
        result.Crash = crash;
        result.GroupSize = _size;
        result.FinalPass = new IoIntegrityPass
        {
            ByteCount = bytes,
            IsUnbuffered = reader.IsUnbuffered,
            ErrorCount = log.Count,
        };
        return result;
    }

    private void InspectGroup(BlockReader reader, long group, ulong number, WriteCheck check)
    {
        var offset = group * _size;
        var at = offset / BlockReader.BlockSize * BlockReader.BlockSize;
        var block = reader.Read(at);
        var made = _made.AsSpan(0, _size);
        _content.Fill(made, offset, number);
        for (var i = 0; i < _size; i += TestFileContent.SectorSize)
        {
            var from = (int)(offset - at) + i;
            var sector = from + TestFileContent.SectorSize <= block.Length ? block.Slice(from, TestFileContent.SectorSize) : default;
            check.Add(offset + i, ClassifySector(sector, made.Slice(i, TestFileContent.SectorSize), offset + i, group, number));
        }
    }

    /// <summary>Returns null if the write or a newer write is on disk, and LostWrite for the earlier content.</summary>
    private IoIntegrityErrorKind? ClassifySector(ReadOnlySpan<byte> sector, ReadOnlySpan<byte> made, long offset, long group, ulong number)
    {
        if (sector.SequenceEqual(made))
            return null;
        if (sector.IsEmpty)
            return IoIntegrityErrorKind.NotRead;
        if (SectorInspection.FindFlippedBits(sector, made).Bits > 0)
            return IoIntegrityErrorKind.BitFlip;
        if (_content.HasHeader(sector, offset, out var other) && IsIntactWrite(sector, offset, group, other))
            return other > number ? null : IoIntegrityErrorKind.LostWrite;
        if (_proof?.IsFillOrTestWrite(sector, offset) == true)
            return IoIntegrityErrorKind.LostWrite;
        if (sector.IndexOfAnyExcept((byte)0) < 0)
            return IoIntegrityErrorKind.Zeros;
        return _content.HasHeader(sector, out var place, out _) && place != offset
            ? IoIntegrityErrorKind.MisdirectedWrite
            : IoIntegrityErrorKind.WrongContent;
    }

    private bool IsIntactWrite(ReadOnlySpan<byte> sector, long offset, long group, ulong number)
    {
        Span<byte> other = stackalloc byte[BlockHeader.BlockSize];
        other = other[.._size];
        _content.Fill(other, group * _size, number);
        return sector.SequenceEqual(other.Slice((int)(offset - group * _size), sector.Length));
    }

    /// <summary>Counts the sectors of one write. Its size does not depend on the size of the write, because a file can have
    /// millions.</summary>
    private sealed class WriteCheck(WitnessRecord write, long order)
    {
        private int _sectors;
        private long _first;
        private long _last;

        // The first kind of error that is not the earlier content.
        private IoIntegrityErrorKind? _otherKind;

        public WitnessRecord Write => write;

        /// <summary>Position among all acknowledged writes.</summary>
        public long Order => order;

        public int DamagedCount { get; private set; }

        public void Add(long offset, IoIntegrityErrorKind? error)
        {
            _sectors++;
            if (error is null)
                return;
            if (DamagedCount++ == 0)
                _first = offset;
            _last = offset;
            if (error != IoIntegrityErrorKind.LostWrite)
                _otherKind ??= error;
        }

        public IoIntegrityError CreateError(string path, bool isOutOfOrder)
        {
            var isTorn = DamagedCount < _sectors;
            var found = "neither this write nor the previous content";
            if (_otherKind is null)
                found = isTorn
                    ? string.Create(
                        CultureInfo.InvariantCulture,
                        $"{_sectors - DamagedCount} of the {_sectors} sectors of this write; the other sectors have the previous content"
                    )
                    : "the previous content";
            return new IoIntegrityError
            {
                Kind = _otherKind ?? (isTorn ? IoIntegrityErrorKind.TornWrite : IoIntegrityErrorKind.LostWrite),
                Phase = IoIntegrityPhase.AfterCrash,
                Path = path,
                Offset = _first,
                Length = _last + TestFileContent.SectorSize - _first,
                Time = DateTimeOffset.Now,
                Expected = CorruptionClassifier.DescribeWrite(write.Number),
                Found = found + (isOutOfOrder ? "; writes that were acknowledged later are present" : ""),
                IsLasting = true,
            };
        }
    }
}
