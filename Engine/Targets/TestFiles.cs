using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>
/// Makes, checks, marks and removes test files. Its rule: IoBench writes only to files that it made, or that the user hands it by
/// force, and never to SQL Server's. Whose a file is decides its mark (see <c>Marks/</c>); what is refused, <c>TargetCheck</c>.
/// </summary>
public static class TestFiles
{
    /// <summary>Says whether a target may be used and how large it will be, and changes nothing (<c>-WhatIf</c> is this).</summary>
    /// <param name="spec">The test.</param>
    /// <param name="target">The target of it.</param>
    /// <param name="options">What the user allows.</param>
    /// <returns>The target as it will be once prepared.</returns>
    /// <exception cref="IoBenchException">It is refused; the id says why.</exception>
    public static PreparedTarget Check(IoTestSpecification spec, IoTargetSpecification target, TestRunOptions options)
    {
        var found = TargetCheck.Check(spec, target, options);
        return found.ToPrepared(createdNow: found.NeedsFill, found.Mark);
    }

    /// <summary>Checks a target and, where it is needed, makes the test file, makes it longer, or finishes one that was left half made.</summary>
    /// <param name="spec">The test.</param>
    /// <param name="target">The target of it.</param>
    /// <param name="options">What the user allows.</param>
    /// <param name="progress">Told bytes that are there and the size in bytes about ten times a second, on the calling thread; null = nobody listens.</param>
    /// <param name="token">Ends the making; what it added is removed.</param>
    /// <exception cref="IoBenchException">The target is refused, or making it failed.</exception>
    /// <exception cref="OperationCanceledException">The token ended it.</exception>
    public static PreparedTarget Prepare(IoTestSpecification spec, IoTargetSpecification target, TestRunOptions options, Action<long, long>? progress, CancellationToken token)
    {
        var found = TargetCheck.Check(spec, target, options);
        if (!found.NeedsFill)
            return found.ToPrepared(createdNow: false, found.Mark);
        options.Log?.Invoke($"{(found.Kind == TargetKind.New ? "making" : "filling")} {found.Path} to {found.Size} bytes");
        var mark = found.Kind == TargetKind.New ? Make(found, progress, token) : Extend(found, progress, token);
        return found.ToPrepared(createdNow: true, mark);
    }

    /// <summary>
    /// Marks a target as being written, for as long as the result is not disposed of; so that after a kill its content can prove whose it is.
    /// A file that the user handed over by force gets no mark: it stays his. A raw device is held so that nobody mounts it meanwhile.
    /// </summary>
    /// <param name="target">The prepared target.</param>
    /// <param name="seed">Seed of the run's <see cref="BlockStamp"/>s; best <see cref="PreparedTarget.ContentSeed"/>.</param>
    /// <returns>Dispose of it after the handles that wrote are closed: it closes the mark over the file's size, time and content.</returns>
    /// <exception cref="IoBenchException"><c>IoBench.ForeignFile</c>: the file became another since it was prepared; <c>IoBench.FileInUse</c>; <c>IoBench.DeviceInUse</c>.</exception>
    public static IDisposable BeginWriting(PreparedTarget target, ulong seed)
    {
        if (target.IsDevice)
            return DeviceCheck.Claim(target.Path);
        return target.IsForeign ? new Nothing() : WriteSession.Begin(target.Path, seed, target.WritesAreOpaque);
    }

    /// <summary>Removes a test file and its mark. A folder means <c>iobench.dat</c> in it; of a link what it leads to is removed.</summary>
    /// <param name="path">The file or folder.</param>
    /// <param name="force">Also a file that IoBench did not make; never SQL Server's, a device or a folder.</param>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.ForeignFile</c>, <c>IoBench.SqlServerFile</c>, <c>IoBench.NotAFile</c> and those of the file system.</exception>
    public static void Remove(string path, bool force)
    {
        var found = TargetPath.Resolve(path);
        if (found.Status is not { } status)
            throw FileErrors.NotFound(found.Path);
        if (status.Kind != FileKind.Regular)
            throw IoBenchException.Refused("IoBench.NotAFile", $"{found.Path} is not a file: IoBench removes test files only. Name one.", found.Path);
        using (var handle = PlatformFiles.Current.OpenToRead(found.Path))
        {
            status = PlatformFiles.Current.GetStatus(handle, found.Path);
            var owner = Ownership.Judge(handle, found.Path);
            if (!owner.IsOurs && (SqlServerFile.IsName(found.Path) || SqlServerFile.IsName(found.Given) || SqlServerFile.IsContent(TargetCheck.Head(handle, status.Size))))
                throw IoBenchException.Refused("IoBench.SqlServerFile", $"{found.Path} is a SQL Server file: IoBench never removes one. Name a test file.", found.Path);
            if (!owner.IsOurs && !force)
                throw IoBenchException.Refused("IoBench.ForeignFile", $"{found.Path} {owner.Reason}: it is not removed. Add --force to remove it all the same.", found.Path);
        }
        // The name may have passed to another file while its content was looked at.
        if (PlatformFiles.Current.TryGetStatus(found.Path)?.Identity != status.Identity)
            throw IoBenchException.Refused("IoBench.ForeignFile", $"{found.Path} was replaced by another file just now: it is not removed. Look at it and try again.", found.Path);
        PlatformFiles.Current.Delete(found.Path);
        MarkStore.RemoveSidecar(found.Path);
    }

    /// <summary>True when IoBench made a file and nobody else has changed it since.</summary>
    /// <param name="path">The file, or a folder with <c>iobench.dat</c> in it.</param>
    /// <param name="reason">Why it is not, to stand behind its name; empty when it is.</param>
    /// <exception cref="IoBenchException">There is no such file, or it cannot be read.</exception>
    public static bool IsOurs(string path, out string reason)
    {
        var found = TargetPath.Resolve(path);
        if (found.Status is not { } status)
            throw FileErrors.NotFound(found.Path);
        reason = "is not a file";
        if (status.Kind != FileKind.Regular)
            return false;
        using var handle = PlatformFiles.Current.OpenToRead(found.Path);
        var owner = Ownership.Judge(handle, found.Path);
        reason = owner.Reason;
        return owner.IsOurs;
    }

    private static FileMark Make(CheckedTarget target, Action<long, long>? progress, CancellationToken token)
    {
        FileMark? mark = null;
        using var handle = PlatformFiles.Current.CreateMarked(target.Path, status => (mark = FileMark.New(status.Identity, target.Size)).ToText());
        try
        {
            PlatformFiles.Current.TryLock(handle);
            return FillAndClose(handle, target, mark!, progress, token);
        }
        catch
        {
            RemoveOwn(target.Path, mark!);
            throw;
        }
    }

    private static FileMark Extend(CheckedTarget target, Action<long, long>? progress, CancellationToken token)
    {
        using var handle = WriteSession.OpenOwn(target.Path, out var before);
        var mark = before with { State = MarkState.Making, Size = target.Size };
        // Filled from its start, it holds no earlier run's writes.
        if (before.Filled == 0)
            mark = mark with { WriteSeeds = [], Opaque = false };
        MarkStore.Write(handle, target.Path, mark.ToText());
        try
        {
            return FillAndClose(handle, target, mark, progress, token);
        }
        catch
        {
            // Back to what was whole before, or nothing.
            if (before.Filled == 0)
            {
                RemoveOwn(target.Path, before);
                throw;
            }
            PlatformFiles.Current.Truncate(handle, target.Path, before.Filled);
            MarkStore.Write(handle, target.Path, WriteSession.Closed(handle, target.Path, before).ToText());
            throw;
        }
    }

    // Only while the name still leads to the file that we hold open.
    private static void RemoveOwn(string path, FileMark mark)
    {
        if (PlatformFiles.Current.TryGetStatus(path)?.Identity != mark.Identity)
            return;
        PlatformFiles.Current.Delete(path);
        MarkStore.RemoveSidecar(path);
    }

    private static FileMark FillAndClose(SafeFileHandle handle, CheckedTarget target, FileMark mark, Action<long, long>? progress, CancellationToken token)
    {
        TestFileMaker.Fill(handle, target.Path, mark.Seed, mark.Filled, target.Size, progress, token);
        // A file that was left half made by a run that wanted it larger may be longer than this one needs.
        if (PlatformFiles.Current.GetStatus(handle, target.Path).Size > target.Size)
            PlatformFiles.Current.Truncate(handle, target.Path, target.Size);
        var closed = WriteSession.Closed(handle, target.Path, mark);
        MarkStore.Write(handle, target.Path, closed.ToText());
        return closed;
    }

    private sealed class Nothing : IDisposable
    {
        public void Dispose() { }
    }
}
