using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

public enum PreparationStep
{
    /// <summary>The test file is being written.</summary>
    Creating,

    /// <summary>A test file that a killed run left is being read to verify its contents.</summary>
    Verifying,

    /// <summary>The target is being overwritten before the test (<see cref="Preconditioning"/>).</summary>
    Preconditioning,

    /// <summary>The target is being read before an integrity check, to know its contents.</summary>
    Reading,

    /// <summary>The target is being read after an integrity check, for comparison.</summary>
    Comparing,
}

/// <summary>Checks and prepares a target on the handle that the run keeps. After this, the run does not use its name.</summary>
internal sealed class TargetPreparation
{
    private readonly TargetCheck.TargetRequest _check;
    private readonly IReadOnlyList<OpenTarget> _others;
    private readonly Action<PreparationStep, long, long>? _report;
    private readonly CancellationToken _token;
    private bool _isWorthless;

    private TargetPreparation(
        TargetCheck.TargetRequest check,
        IReadOnlyList<OpenTarget> others,
        Action<PreparationStep, long, long>? report,
        CancellationToken token
    )
    {
        _check = check;
        _others = others;
        _report = report;
        _token = token;
    }

    /// <param name="report">Called about ten times per second on the calling thread; null = not needed.</param>
    /// <param name="token">Cancels the preparation; what it added to a file is removed.</param>
    public static OpenTarget Open(
        TargetCheck.TargetRequest check,
        IReadOnlyList<OpenTarget> others,
        Action<PreparationStep, long, long>? report,
        CancellationToken token
    )
    {
        var opening = new TargetPreparation(check, others, report, token);
        return check.Found.Status switch
        {
            null => opening.CreateFile(),
            { Kind: FileKind.BlockDevice } => opening.OpenDevice(),
            _ => opening.OpenExisting(),
        };
    }

    private OpenTarget CreateFile()
    {
        var found = TargetCheck.CheckNew(_check);
        Log("creating", found);
        var file = OpenFile.Create(found.Path, found.Size, out var mark);
        try
        {
            return CreateOpenTarget(found, file, new TestFileWriteSession(file, FillFile(file, found, mark, before: null)));
        }
        catch
        {
            _isWorthless = IsStillOwn(file, mark, before: null);
            CloseOrRemove(file);
            throw;
        }
    }

    private OpenTarget OpenExisting()
    {
        TargetCheck.CheckName(_check);
        var file = OpenFile.Open(_check.Path, _check.Writes, GetOpenFiles(), locksOutWriters: _check.Spec.Verify);
        try
        {
            var found = CheckFile(file);
            if (found is { NeedsFill: true } && !file.IsWritable)
            {
                // Check again, now that no other run can write to the file.
                file.MakeWritable();
                found = CheckFile(file);
            }
            var mark = found.Marker;
            if (found.NeedsFill)
                mark = ExtendFile(file, found);
            else if (mark is { State: OwnershipMarkerState.Making } && file.IsWritable)
                mark = TruncateToFilled(file, mark);
            return CreateOpenTarget(found, file, GetWriteSession(file, mark));
        }
        catch
        {
            CloseOrRemove(file);
            throw;
        }
    }

    private OpenTarget OpenDevice()
    {
        var found = RawDevice.Check(_check);
        var handle = _check.Writes
            ? RawDevice.OpenForWriting(found.Path, found.DeviceToWrite)
            : PlatformFiles.Current.OpenToRead(found.Path);
        try
        {
            var status = PlatformFiles.Current.GetStatus(handle, found.Path);
            if (!status.IsSame(_check.Found.Status!.Value))
                throw FileErrors.TargetReplaced(found.Path);
            if (_check.Writes)
                _check.Options.RecordApprovedFile(_check.Target.Path, status);
            return new OpenTarget(found, OpenFile.FromDevice(found.Path, handle, _check.Writes), null);
        }
        catch
        {
            PlatformFiles.Current.UnlockAndClose(handle);
            throw;
        }
    }

    // Verify the whole file if the fill or the test will write to it; samples are enough for reading.
    private CheckedTarget CheckFile(OpenFile file) =>
        TargetCheck.CheckExisting(
            _check,
            file.Handle,
            wholeFile: file.IsWritable,
            (done, total) => _report?.Invoke(PreparationStep.Verifying, done, total),
            _token
        );

    private OpenTarget CreateOpenTarget(CheckedTarget found, OpenFile file, TestFileWriteSession? session)
    {
        if (!_check.Writes && file.IsWritable)
            file.MakeReadOnly(locksOutWriters: _check.Spec.Verify);
        found.Marker = session?.Marker;
        return new OpenTarget(found, file, _check.Writes ? session : null);
    }

    private TestFileWriteSession? GetWriteSession(OpenFile file, OwnershipMarker? mark)
    {
        if (mark is null)
            return null;
        if (_others.Select(o => o.WriteSession).FirstOrDefault(s => s?.File == file) is not { } shared)
            return new TestFileWriteSession(file, mark);
        shared.ReplaceMarker(mark);
        return shared;
    }

    private IEnumerable<OpenFile> GetOpenFiles() => _others.Select(o => o.File).OfType<OpenFile>();

    // An earlier run did not finish extending the file, and this run needs only the filled part.
    private static OwnershipMarker TruncateToFilled(OpenFile file, OwnershipMarker mark)
    {
        if (PlatformFiles.Current.GetStatus(file.Handle, file.Path).Size > mark.FilledBytes)
            PlatformFiles.Current.Truncate(file.Handle, file.Path, mark.FilledBytes);
        return OwnershipMarker.Close(file.Handle, file.Path, mark);
    }

    private OwnershipMarker ExtendFile(OpenFile file, CheckedTarget found)
    {
        var before = found.Marker!;
        Log("filling", found);
        var mark = before with { State = OwnershipMarkerState.Making, Size = found.Size, RecordedContent = null };
        // A file that is filled from its start holds no writes of earlier runs.
        if (before.FilledBytes == 0)
            mark = mark with { WriteSeeds = [], HasUnrecognizableContent = false, HasCompressibleContent = false };
        TargetCheck.CheckMayWrite(file.Path, PlatformFiles.Current.GetStatus(file.Handle, file.Path));
        OwnershipMarker.WriteText(file.Handle, file.Path, mark.ToText());
        var samples = mark.HasUnrecognizableContent
            ? OwnershipMarker.ReadSamples(file.Handle, file.Path, before.FilledBytes, OwnershipMarker.ExtensionSamples)
            : null;
        try
        {
            return FillFile(file, found, mark, samples);
        }
        catch
        {
            if (!IsStillOwn(file, mark, samples))
                throw;
            // Truncate to the part that was filled before, or remove the file.
            _isWorthless = before.FilledBytes == 0;
            if (!_isWorthless)
            {
                PlatformFiles.Current.Truncate(file.Handle, file.Path, before.FilledBytes);
                OwnershipMarker.Close(file.Handle, file.Path, before);
            }
            throw;
        }
    }

    private OwnershipMarker FillFile(OpenFile file, CheckedTarget found, OwnershipMarker mark, SortedDictionary<long, byte[]>? before)
    {
        var needed = Math.Max(0, found.Size - PlatformFiles.Current.GetStatus(file.Handle, file.Path).AllocatedBytes);
        // A file that a run with a larger size left unfinished can be longer than this run needs.
        if (PlatformFiles.Current.GetStatus(file.Handle, found.Path).Size > found.Size)
            PlatformFiles.Current.Truncate(file.Handle, found.Path, found.Size);
        var slow = FillFile(
            file.Handle,
            found.Path,
            mark.Seed,
            from: mark.FilledBytes,
            size: found.Size,
            CheckFreeSpace,
            progress: (done, total) => _report?.Invoke(PreparationStep.Creating, done, total),
            _token
        );
        if (slow is not null)
            found.Warnings.Add(
                new IoWarning(
                    WarningCodes.SlowFill,
                    $"Creating {found.Path} took longer than necessary: {slow}. The results are not affected."
                )
            );
        if (OwnershipMarker.FindOutsideChange(file.Handle, found.Path, mark, written: null, before) is { } why)
            throw IoBenchException.Refused(
                ErrorIds.ForeignFile,
                $"{found.Path} {why}. Another program changed the file while IoBench was writing the initial contents.",
                found.Path,
                advice: "IoBench made no further changes to the file. Check the file, or specify another file."
            );
        return OwnershipMarker.Close(file.Handle, found.Path, mark);

        // Checked again during the fill, because other programs and other files can use space too.
        void CheckFreeSpace(long left)
        {
            var taken = Math.Max(0, needed - left);
            var now = PlatformFiles.Current.GetSpace(Path.GetDirectoryName(found.Path) ?? found.Path);
            // Add back the space that this file has taken already, so that the same rule applies as before.
            TestFiles.CheckFreeSpace(
                found.Path,
                found.Size,
                needed,
                now is { } space ? space with { Available = space.Available + taken } : null,
                TargetCheck.GetVolumeName(found.Volume, found.Path),
                _check.Options
            );
        }
    }

    // If the file was changed outside IoBench, it is not truncated, removed, or marked as IoBench's; the next run reports it.
    private static bool IsStillOwn(OpenFile file, OwnershipMarker mark, SortedDictionary<long, byte[]>? before)
    {
        try
        {
            return OwnershipMarker.FindOutsideChange(file.Handle, file.Path, mark, written: null, before, isUnfinished: true) is null;
        }
        catch (IoBenchException)
        {
            // The file cannot be read. The error that led here says why, and the open marker lets the next run decide.
            return false;
        }
    }

    private void Log(string what, CheckedTarget found) =>
        _check.Options.Log?.Invoke($"{what} {found.Path}: {NumberFormat.Grouped(found.Size)} bytes");

    private void CloseOrRemove(OpenFile file)
    {
        // On Windows, a name can remain until the last handle is closed.
        if (!_isWorthless || PlatformFiles.Current is WindowsFiles)
            file.ReleaseTarget();
        if (!_isWorthless)
            return;
        RemoveCreatedFile(file.Path, file.Status);
        // Freeing a large file can take a while, so do not wait: it has no name any more, and the end of the process closes it.
        if (PlatformFiles.Current is not WindowsFiles)
            file.ReleaseTarget(later: true);
    }

    // Only if the name still leads to the file that this run created.
    private static void RemoveCreatedFile(string path, FileStatus file)
    {
        if (PlatformFiles.Current.DeleteIfSame(path, file))
            OwnershipMarker.RemoveSidecar(path, file);
    }

    // Buffered content is flushed in steps, so that it does not fill the memory.
    private const long FlushEveryBytes = 256L << 20;

    private const int BufferAlignment = 4096;

    /// <summary>Writes every byte, unbuffered if possible, with several large writes outstanding.</summary>
    /// <param name="checkFreeSpace">Gets the bytes that the file has yet to take; 0 if the file system reserved all of them.</param>
    /// <param name="progress">Receives existing and total bytes; null = not needed.</param>
    /// <returns>Why the fill took longer than the disk needs; null if it did not.</returns>
    private static unsafe string? FillFile(
        SafeFileHandle handle,
        string path,
        ulong seed,
        long from,
        long size,
        Action<long> checkFreeSpace,
        Action<long, long>? progress,
        CancellationToken token
    )
    {
        token.ThrowIfCancellationRequested();
        var files = PlatformFiles.Current;
        // Content is generated in whole blocks, so a partial last block is written again.
        var start = TestFiles.RoundDown(from, TestFileContent.BlockSize);
        var reservation = files.ReserveSpace(handle, path, size);
        checkFreeSpace(reservation.IsReserved ? 0 : size - start);
        using var unbuffered = files.TryReopenUnbuffered(handle, path, write: true);
        using var beside = files.OpenSeparateHandle(handle, path, write: true);
        var changed = beside ?? handle;
        var work = new ParallelFileWork(start, size);
        work.Run("IoBench fill", FillChunks, Look, token);
        files.Flush(changed, path);
        files.DropCache(changed);
        progress?.Invoke(size, size);
        return reservation.SlowFillReason;

        void Look()
        {
            var done = work.AddDone(0);
            progress?.Invoke(done, size);
            if (!reservation.IsReserved)
                checkFreeSpace(size - done);
        }

        void FillChunks()
        {
            var memory = (byte*)NativeMemory.AlignedAlloc(ParallelFileWork.ChunkSize, BufferAlignment);
            try
            {
                while (work.TryTakeChunk(out var offset))
                {
                    var chunk = new Span<byte>(memory, (int)Math.Min(ParallelFileWork.ChunkSize, size - offset));
                    TestFileContent.Generate(chunk, seed, offset);
                    // A chunk that ends within a sector cannot be written unbuffered.
                    files.Write(unbuffered is not null && chunk.Length % BufferAlignment == 0 ? unbuffered : changed, path, chunk, offset);
                    var written = work.AddDone(chunk.Length) - start;
                    if (unbuffered is null && written / FlushEveryBytes != (written - chunk.Length) / FlushEveryBytes)
                    {
                        files.Flush(changed, path);
                        files.DropCache(changed);
                    }
                }
            }
            finally
            {
                NativeMemory.AlignedFree(memory);
            }
        }
    }
}
