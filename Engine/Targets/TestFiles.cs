using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Creates, checks, and removes test files: only those that IoBench created or that the user explicitly allows.</summary>
/// <remarks>Never SQL Server's files. The ownership marker decides whether IoBench created a file (see <c>Marks/</c>).</remarks>
public static class TestFiles
{
    /// <summary>Checks whether a target may be used, and its size, without changing it.</summary>
    /// <exception cref="IoBenchException">The target is refused; the id states why.</exception>
    public static CheckedTarget Check(IoTestSpecification spec, IoTargetSpecification target, TestRunOptions options) =>
        TargetCheck.Check(spec, target, options);

    /// <summary>Checks a target and, if needed, creates, extends, or completes the test file.</summary>
    /// <param name="progress">Existing and total bytes, about ten times per second on the calling thread; null = not needed.</param>
    /// <param name="token">Cancels the preparation; what it added is removed.</param>
    public static CheckedTarget Prepare(
        IoTestSpecification spec,
        IoTargetSpecification target,
        TestRunOptions options,
        Action<long, long>? progress,
        CancellationToken token
    )
    {
        using var opened = TargetPreparation.Open(
            TargetCheck.Resolve(spec, target, options),
            [],
            (_, done, total) => progress?.Invoke(done, total),
            token
        );
        return opened.Target;
    }

    /// <summary>Removes a test file and its marker. For a folder, <c>iobench.dat</c> in it; for a link, its target.</summary>
    /// <param name="token">Cancels the verification of a file that a killed run left; then nothing is removed.</param>
    public static void Remove(string path, CancellationToken token = default) =>
        RunOnRemovableFile(path, static (found, status, owner) => Remove(found, status, owner), token);

    /// <summary>Returns the full path that would be removed, for a confirmation. Throws the same refusals.</summary>
    public static string CheckRemoval(string path, CancellationToken token = default)
    {
        var full = "";
        RunOnRemovableFile(path, (found, _, _) => full = found.Path, token);
        return full;
    }

    /// <summary>Whether IoBench created a file and nothing else has changed it. The file of a killed run is read completely.</summary>
    /// <param name="reason">Why it is not, as text to append to the name; empty if it is.</param>
    public static bool IsOwnTestFile(string path, out string reason)
    {
        var owner = DetermineOwnership(path, wholeFile: true);
        reason = owner?.Reason ?? "is not a file";
        return owner is { IsOwn: true };
    }

    /// <summary>Verifies only samples of a file that a killed run left. Not sufficient for writing or removing.</summary>
    public static bool IsProbablyOwnTestFile(string path) => DetermineOwnership(path, wholeFile: false) is { IsOwn: true };

    /// <summary>Error that an integrity check found; null if the file is not kept as evidence.</summary>
    public static string? ReadEvidence(string path)
    {
        var found = TargetPath.Resolve(path);
        if (found.Status is not { Kind: FileKind.Regular })
            return null;
        using var handle = PlatformFiles.Current.OpenToRead(found.Path);
        return OwnershipMarker.ReadText(handle, found.Path) is { } text ? OwnershipMarker.Parse(text)?.Evidence : null;
    }

    private static void RunOnRemovableFile(string path, Action<TargetPath, FileStatus, Ownership> use, CancellationToken token)
    {
        var found = TargetPath.Resolve(path);
        if (found.Status is not { } there)
            throw FileErrors.NotFound(found.Path);
        if (there.Kind != FileKind.Regular)
            throw IoBenchException.Refused(
                ErrorIds.NotAFile,
                $"{found.Path} is not a file. IoBench removes only test files.",
                found.Path,
                advice: "Specify a test file."
            );
        var handle = OpenToRemove(found.Path);
        try
        {
            var status = PlatformFiles.Current.GetStatus(handle, found.Path);
            use(found, status, CheckMayRemove(found, handle, status, token));
        }
        finally
        {
            PlatformFiles.Current.UnlockAndClose(handle);
        }
    }

    private static Ownership CheckMayRemove(TargetPath found, SafeFileHandle handle, FileStatus status, CancellationToken token)
    {
        if (!PlatformFiles.Current.TryLockToRemove(handle))
            throw IoBenchException.Refused(
                ErrorIds.FileInUse,
                $"{found.Path} is in use by a run of IoBench, so IoBench does not remove it.",
                found.Path,
                advice: "Wait until the run ends."
            );
        var owner = Ownership.Determine(handle, found.Path, wholeFile: true, token: token);
        // The name of a database is refused for a file with a marker too, because IoBench does not create such a file.
        if (
            found.Names.Any(SqlServerFile.HasSqlServerExtension)
            || (!owner.IsOwn && TargetContent.FindInFile(handle, found.Path, status.Size, sqlServerOnly: true) is not null)
        )
            throw IoBenchException.Refused(
                ErrorIds.SqlServerFile,
                $"{found.Path} is a SQL Server file, and IoBench never removes such files.",
                found.Path,
                advice: "Specify a test file."
            );
        if (!owner.IsOwn)
            throw IoBenchException.Refused(
                ErrorIds.ForeignFile,
                $"{found.Path} {owner.Reason}. IoBench removes only its own test files.",
                found.Path,
                advice: "Use a command of the operating system to remove it."
            );
        return owner;
    }

    private static void Remove(TargetPath found, FileStatus status, Ownership owner)
    {
        // Windows does not remove read-only files.
        if (OperatingSystem.IsWindows() && owner.Marker?.Evidence is not null)
            File.SetAttributes(found.Path, File.GetAttributes(found.Path) & ~FileAttributes.ReadOnly);
        // Another file can have got the name while the content was verified.
        if (!PlatformFiles.Current.DeleteIfSame(found.Path, status))
            throw IoBenchException.Refused(
                ErrorIds.ForeignFile,
                $"{found.Path} was replaced by another file, so IoBench does not remove it.",
                found.Path,
                advice: "Check the file, and try again."
            );
        OwnershipMarker.RemoveSidecar(found.Path, status);
    }

    private static Ownership? DetermineOwnership(string path, bool wholeFile)
    {
        var found = TargetPath.Resolve(path);
        if (found.Status is not { } status)
            throw FileErrors.NotFound(found.Path);
        if (status.Kind != FileKind.Regular)
            return null;
        using var handle = PlatformFiles.Current.OpenToRead(found.Path);
        return Ownership.Determine(handle, found.Path, wholeFile);
    }

    // Locking requires write access; a file without it can still be removed by an account that can write to its folder.
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

    private const long GB = 1L << 30;

    internal const long DefaultSize = 20 * GB;

    /// <summary>20 GB, but at most 10% of the free space, or 1% if more would leave too little.</summary>
    internal static long GetDefaultSize((long Total, long Available)? space, long unit)
    {
        if (space is not { } known)
            return DefaultSize;
        var size = Math.Min(DefaultSize, known.Available / 10);
        if (LeavesTooLittleSpace(size, known))
            size = known.Available / 100;
        // Round to whole megabytes for readability, unless the size is smaller.
        return RoundDown(size, size >= 1 << 20 ? 1 << 20 : unit);
    }

    internal static long RoundDown(long size, long unit) => size - size % unit;

    internal static long GetMinimumSize(IoPattern pattern, IoTargetSpecification target) => target.BaseOffset + 2 * pattern.BlockSize;

    internal static void CheckHoldsTest(long size, IoPattern pattern, IoTargetSpecification target, string path)
    {
        var min = GetMinimumSize(pattern, target);
        if (size < min)
            throw IoBenchException.Usage(
                "IoBench.InvalidSize",
                $"{path} ({IoSize.Format(size)}) is too small. Blocks of {IoSize.Format(pattern.BlockSize)} require a file of at least "
                    + $"{IoSize.Format(min)}.",
                path,
                advice: "Use a larger file."
            );
        if (target.MaxOffset is { } end && (end > size || end - target.BaseOffset < pattern.BlockSize))
            throw IoBenchException.Usage(
                "IoBench.InvalidOffset",
                $"{path}: the range from {target.BaseOffset} to {end} is not within the file of {size} bytes, or is smaller than a block.",
                path,
                advice: "Choose offsets within the file."
            );
    }

    /// <summary>Throws if a volume has too little space, or would be left too full for a database on it to grow.</summary>
    internal static void CheckFreeSpace(
        string path,
        long size,
        long moreBytes,
        (long Total, long Available)? space,
        string volume,
        TestRunOptions options
    )
    {
        if (space is not { } known || moreBytes <= 0)
            return;
        if (moreBytes > known.Available)
            throw IoBenchException.Refused(
                ErrorIds.NotEnoughSpace,
                $"{path} needs {IoSize.Format(moreBytes)} of additional space, but {volume} has only {IoSize.Format(known.Available)} free.",
                path,
                advice: $"Choose a smaller {OptionNames.FileSize} or another volume."
            );
        if (options.Permissions.FillVolume || !LeavesTooLittleSpace(moreBytes, known))
            return;
        var allowed = Math.Max(known.Available - GetRequiredFreeSpace(known), known.Available / 100);
        var smaller = OptionNames.FileSize.WithValue(FormatArgument(allowed + size - moreBytes));
        // Advise the switch only if it would help.
        throw IoBenchException.Refused(
            "IoBench.VolumeTooFull",
            $"A test file of {IoSize.Format(size)} ({path}) would leave only {IoSize.Format(known.Available - moreBytes)} free on {volume}. At least "
                + $"{IoSize.Format(GetRequiredFreeSpace(known))} must remain free, so that databases on the volume can grow.",
            path,
            options.OwnFilesOnly
                ? (IoMessage)$"Use {smaller} or less."
                : $"Use {smaller} or less, or add {OptionNames.FillVolume} to leave less free space."
        );
    }

    // A test file of at most 1% of the free space is always allowed.
    private static bool LeavesTooLittleSpace(long moreBytes, (long Total, long Available) space) =>
        space.Available - moreBytes < GetRequiredFreeSpace(space) && moreBytes > space.Available / 100;

    private static long GetRequiredFreeSpace((long Total, long Available) space) => Math.Min(space.Total / 10, 10 * GB);

    // In the format of the option, rounded down so that the advised size is accepted.
    private static string FormatArgument(long bytes)
    {
        if (bytes >= 10 * GB)
            return (bytes / GB).ToString(CultureInfo.InvariantCulture) + "GB";
        if (bytes >= 1 << 20)
            return (bytes >> 20).ToString(CultureInfo.InvariantCulture) + "MB";
        return (bytes >> 10).ToString(CultureInfo.InvariantCulture) + "KB";
    }
}
