using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Targets;

/// <summary>
/// Makes, checks, marks and removes test files. Its rule: IoBench writes only to files that it made, or that the user hands it by
/// force, and never to SQL Server's. Whose a file is decides its mark (see <c>Marks/</c>); what is refused, <c>TargetCheck</c>.
/// </summary>
public static class TestFiles
{
    /// <summary>Says whether a target may be used and how large it will be, and changes nothing (<c>-WhatIf</c> is this).</summary>
    /// <param name="target">The target of the test.</param>
    /// <param name="options">What the user allows.</param>
    /// <returns>The target as it will be once prepared.</returns>
    /// <exception cref="IoBenchException">It is refused; the id says why.</exception>
    public static CheckedTarget Check(IoTestSpecification spec, IoTargetSpecification target, TestRunOptions options) =>
        TargetCheck.Check(spec, target, options);

    /// <summary>Checks a target and, where it is needed, makes the test file, makes it longer, or finishes one that was left half made.</summary>
    /// <param name="target">The target of the test.</param>
    /// <param name="options">What the user allows.</param>
    /// <param name="progress">Receives bytes that are there and the size in bytes about ten times per second, on the calling thread; null = nobody listens.</param>
    /// <param name="token">Ends the making; what it added is removed.</param>
    /// <exception cref="IoBenchException">The target is refused, or making it failed.</exception>
    /// <exception cref="OperationCanceledException">The token ended it.</exception>
    public static CheckedTarget Prepare(
        IoTestSpecification spec,
        IoTargetSpecification target,
        TestRunOptions options,
        Action<long, long>? progress,
        CancellationToken token
    )
    {
        using var opened = TargetOpening.Open(
            TargetCheck.Resolve(spec, target, options),
            [],
            (_, done, total) => progress?.Invoke(done, total),
            token
        );
        return opened.Target;
    }

    /// <summary>Removes a test file and its mark. A folder means <c>iobench.dat</c> in it; of a link what it leads to is removed.</summary>
    /// <param name="path">The file or folder.</param>
    /// <param name="force">Also a file that IoBench did not make; never SQL Server's, a device or a folder.</param>
    /// <param name="token">Ends the proof of a file that a killed run left; then nothing is removed.</param>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.ForeignFile</c>, <c>IoBench.FileInUse</c>, <c>IoBench.SqlServerFile</c>, <c>IoBench.NotAFile</c> and those of the file system.</exception>
    public static void Remove(string path, bool force, CancellationToken token = default) =>
        WithRemovable(path, force, static (found, status, owner) => Remove(found, status, owner), token);

    /// <summary>The full path of what <see cref="Remove(string, bool, CancellationToken)"/> would take away, all of whose refusals come here already: to be asked about before.</summary>
    /// <param name="path">The file or folder.</param>
    /// <param name="force">As there.</param>
    /// <param name="token">Ends the proof of a file that a killed run left.</param>
    /// <exception cref="IoBenchException">As there.</exception>
    public static string CheckRemoval(string path, bool force, CancellationToken token = default)
    {
        var full = "";
        WithRemovable(path, force, (found, _, _) => full = found.Path, token);
        return full;
    }

    /// <summary>True when IoBench made a file and nobody else has changed it since. Of a file that a killed run left, all is read.</summary>
    /// <param name="path">The file, or a folder with <c>iobench.dat</c> in it.</param>
    /// <param name="reason">Why it is not, to stand behind its name; empty when it is.</param>
    /// <exception cref="IoBenchException">There is no such file, or it cannot be read.</exception>
    public static bool IsOurs(string path, out string reason)
    {
        var owner = Judge(path, ProofDepth.Whole);
        reason = owner?.Reason ?? "is not a file";
        return owner is { IsOurs: true };
    }

    /// <summary>As <see cref="IsOurs"/>, but of a file that a killed run left only samples are looked at: enough to say so, not to write or remove.</summary>
    /// <param name="path">The file, or a folder with <c>iobench.dat</c> in it.</param>
    /// <exception cref="IoBenchException">There is no such file, or it cannot be read.</exception>
    public static bool LooksOurs(string path) => Judge(path, ProofDepth.Samples) is { IsOurs: true };

    /// <summary>What a checked test found wrong in a file that is kept as evidence; null when it is none.</summary>
    /// <param name="path">The file, or a folder with <c>iobench.dat</c> in it.</param>
    /// <exception cref="IoBenchException">There is no such file, or it cannot be read.</exception>
    public static string? EvidenceIn(string path)
    {
        var found = TargetPath.Resolve(path);
        if (found.Status is not { Kind: FileKind.Regular })
            return null;
        using var handle = PlatformFiles.Current.OpenToRead(found.Path);
        return MarkStore.Read(handle, found.Path) is { } text ? FileMark.Parse(text)?.Evidence : null;
    }

    /// <summary>Does something with a file that may be removed, while nobody else can use it.</summary>
    private static void WithRemovable(string path, bool force, Action<TargetPath, FileStatus, Ownership> use, CancellationToken token)
    {
        var found = TargetPath.Resolve(path);
        if (found.Status is not { } there)
            throw FileErrors.NotFound(found.Path);
        if (there.Kind != FileKind.Regular)
            throw IoBenchException.Refused(
                ErrorIds.NotAFile,
                $"{found.Path} is not a file: IoBench removes test files only.",
                found.Path,
                advice: "Name one."
            );
        var handle = OpenToRemove(found.Path);
        try
        {
            var status = PlatformFiles.Current.GetStatus(handle, found.Path);
            use(found, status, JudgeRemoval(found, handle, status, force, token));
        }
        finally
        {
            PlatformFiles.Current.UnlockAndClose(handle);
        }
    }

    /// <summary>Whose it is, where it may be removed.</summary>
    private static Ownership JudgeRemoval(TargetPath found, SafeFileHandle handle, FileStatus status, bool force, CancellationToken token)
    {
        if (!PlatformFiles.Current.TryLockToRemove(handle))
            throw IoBenchException.Refused(
                ErrorIds.FileInUse,
                $"{found.Path} is in use by a run of IoBench: it is not removed.",
                found.Path,
                advice: "Wait until the run ends."
            );
        // What the user takes away by force need not be proved to be ours.
        var owner = Ownership.Judge(handle, found.Path, force ? ProofDepth.Samples : ProofDepth.Whole, null, token);
        if (
            !owner.IsOurs
            && (found.Names.Any(SqlServerFile.IsName) || SqlServerFile.IsContent(TargetCheck.Head(handle, found.Path, status.Size)))
        )
            throw IoBenchException.Refused(
                ErrorIds.SqlServerFile,
                $"{found.Path} is a SQL Server file: IoBench never removes one.",
                found.Path,
                advice: "Name a test file."
            );
        if (!owner.IsOurs && !force)
            throw IoBenchException.Refused(
                ErrorIds.ForeignFile,
                $"{found.Path} {owner.Reason}: it is not removed.",
                found.Path,
                advice: $"Add {Opt.Force} to remove it anyway."
            );
        return owner;
    }

    private static void Remove(TargetPath found, FileStatus status, Ownership owner)
    {
        // Windows removes no file that is read-only.
        if (OperatingSystem.IsWindows() && owner.Mark?.Evidence is not null)
            File.SetAttributes(found.Path, File.GetAttributes(found.Path) & ~FileAttributes.ReadOnly);
        // The name may have passed to another file while its content was looked at.
        if (!PlatformFiles.Current.DeleteIfSame(found.Path, status))
            throw IoBenchException.Refused(
                ErrorIds.ForeignFile,
                $"{found.Path} was replaced by another file just now: it is not removed.",
                found.Path,
                advice: "Look at it and try again."
            );
        MarkStore.RemoveSidecar(found.Path, status);
    }

    private static Ownership? Judge(string path, ProofDepth depth)
    {
        var found = TargetPath.Resolve(path);
        if (found.Status is not { } status)
            throw FileErrors.NotFound(found.Path);
        if (status.Kind != FileKind.Regular)
            return null;
        using var handle = PlatformFiles.Current.OpenToRead(found.Path);
        return Ownership.Judge(handle, found.Path, depth);
    }

    // Only what may be written can be locked; a file that may not be can still be removed by whoever may write to its folder.
    private static SafeFileHandle OpenToRemove(string path)
    {
        if (PlatformFiles.Current is WindowsFiles)
            return PlatformFiles.Current.OpenToRead(path);
        try
        {
            return PlatformFiles.Current.OpenToWrite(path);
        }
        catch (IoBenchException e) when (e.ErrorId is ErrorIds.AccessDenied or ErrorIds.ReadOnlyVolume)
        {
            return PlatformFiles.Current.OpenToRead(path);
        }
    }
}
