using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Decides whether a target may be used, and its size. Does not change anything.</summary>
internal static class TargetCheck
{
    public static CheckedTarget Check(IoTestSpecification spec, IoTargetSpecification target, TestRunOptions options)
    {
        var check = Resolve(spec, target, options);
        switch (check.Found.Status)
        {
            case null:
                return CheckNew(check);
            case { Kind: FileKind.BlockDevice }:
                var device = RawDevice.Check(check);
                if (check.Writes)
                    check.Options.RecordApprovedFile(check.Target.Path, check.Found.Status);
                return device;
            default:
                CheckName(check);
                using (var handle = PlatformFiles.Current.OpenToRead(check.Path))
                {
                    var found = CheckExisting(check, handle, wholeFile: false);
                    if (check.Writes || found.NeedsFill)
                        CheckWritable(check.Path);
                    return found;
                }
        }
    }

    public static TargetRequest Resolve(IoTestSpecification spec, IoTargetSpecification target, TestRunOptions options)
    {
        if ((target.FileSize ?? spec.FileSize) is <= 0)
            throw IoBenchException.Usage(
                "IoBench.InvalidSize",
                $"{OptionNames.FileSize.WithValue(0)}: the size must be more than 0.",
                target.Path,
                advice: $"Use, for example, {OptionNames.FileSize.WithValue("20GB")}, or remove the option."
            );
        var path = TargetPath.Resolve(target.Path);
        return path.Status is null or { Kind: FileKind.BlockDevice or FileKind.Regular }
            ? new TargetRequest(spec, target, options, spec.GetPattern(target), path, null)
            : throw IoBenchException.Refused(
                ErrorIds.NotAFile,
                $"{path.Path} is a FIFO, socket, or character device, which IoBench cannot test.",
                path.Path,
                advice: "Specify a file or a folder."
            );
    }

    /// <param name="PlannedSize">Size in bytes in the plan; null before there is a plan.</param>
    internal sealed record TargetRequest(
        IoTestSpecification Spec,
        IoTargetSpecification Target,
        TestRunOptions Options,
        IoPattern Pattern,
        TargetPath Found,
        long? PlannedSize
    )
    {
        public string Path => Found.Path;
        public bool Writes => Pattern.WritePercent > 0;
        public long? RequestedSize => PlannedSize ?? Target.FileSize ?? Spec.FileSize;

        public TargetRequest ResolveAgain(long size) => Resolve(Spec, Target, Options) with { PlannedSize = size };

        public bool IsNamedAsSqlServer => Found.Names.Any(SqlServerFile.HasSqlServerExtension);
    }

    /// <summary>Refuses by name alone, before the file is opened, because a server could be about to open it exclusively.</summary>
    public static void CheckName(TargetRequest check)
    {
        if (check.IsNamedAsSqlServer)
            CheckSqlServer(check, "is a SQL Server file");
    }

    public static CheckedTarget CheckNew(TargetRequest check)
    {
        if (SqlServerFile.HasSqlServerExtension(check.Path))
            throw IoBenchException.Refused(
                ErrorIds.SqlServerFile,
                $"{check.Path} has the extension of a SQL Server file, and IoBench never creates such files.",
                check.Path,
                advice: $"Specify a separate test file, for example {SuggestTestFile(check.Path)}."
            );
        // A Windows disk or volume that does not exist: its path has no folder, and no file can be created there.
        if (Path.GetDirectoryName(check.Path) is not { } folder)
            throw FileErrors.NotFound(check.Path);
        PlatformFiles.Current.CheckCanCreate(folder, check.Path);
        var volume = VolumeFacts.Collect(folder);
        if (volume.IsPseudoFileSystem)
            throw IoBenchException.Refused(
                ErrorIds.NotAFile,
                $"{check.Path} does not exist, and {folder} ({volume.FileSystem}) is not suitable for a test file.",
                check.Path,
                advice: "Specify a file, a folder, or an existing device."
            );
        var warnings = new List<IoWarning>();
        var size = check.RequestedSize ?? TestFiles.GetDefaultSize(volume.Space, volume.LogicalSectorSize);
        size = RoundToSectors(size, check, volume, warnings);
        if (check.RequestedSize is null && size < TestFiles.DefaultSize)
            warnings.Add(
                new IoWarning(
                    WarningCodes.QuickLook,
                    $"The volume has little free space, so {check.Path} is only {IoSize.Format(size)} and the results are preliminary. Use "
                        + $"{OptionNames.FileSize} for a larger file."
                )
            );
        TestFiles.CheckFreeSpace(check.Path, size, size, volume.Space, GetVolumeName(volume, check.Path), check.Options);
        if (check.Writes)
            check.Options.RecordApprovedFile(check.Target.Path, null);
        return CreateResult(check, TargetKind.New, size, null, null, volume, warnings);
    }

    public static CheckedTarget CheckExisting(
        TargetRequest check,
        SafeFileHandle handle,
        bool wholeFile,
        Action<long, long>? progress = null,
        CancellationToken token = default
    )
    {
        var status = PlatformFiles.Current.GetStatus(handle, check.Path);
        if (status.Kind != FileKind.Regular)
            throw FileErrors.FromErrno(LinuxCalls.ELOOP, "opening", check.Path);
        var volume = VolumeFacts.Collect(check.Path, handle);
        if (volume.IsPseudoFileSystem)
            throw IoBenchException.Refused(
                ErrorIds.NotAFile,
                $"{check.Path} is on {volume.FileSystem}, which is an interface to the kernel, not storage.",
                check.Path,
                advice: "Specify a file on a storage volume."
            );
        var owner = Ownership.Determine(handle, check.Path, wholeFile, progress, check.Spec.Verify, token);
        // Extending the file writes to it before its content is verified.
        if (check.Spec.Verify && owner.Marker is { } marker && check.RequestedSize > marker.FilledBytes)
            owner = Ownership.Determine(handle, check.Path, wholeFile, progress, isVerifiedLater: false, token);
        return owner.IsOwn ? CheckOwnFile(check, status, owner, volume) : CheckOtherFile(check, handle, status, owner, volume);
    }

    private static CheckedTarget CheckOwnFile(TargetRequest check, FileStatus status, Ownership owner, VolumeFacts volume)
    {
        var mark = owner.Marker!;
        var warnings = new List<IoWarning>();
        var size = RoundToSectors(check.RequestedSize ?? mark.Size, check, volume, warnings);
        if (mark.Evidence is { } evidence && (check.Writes || size > mark.FilledBytes))
            throw IoBenchException.Refused(
                ErrorIds.Evidence,
                $"{check.Path} is kept as evidence, so IoBench does not write to it: {evidence}",
                check.Path,
                advice: "Specify another file. Remove this file when you no longer need it."
            );
        if (size > mark.FilledBytes)
            TestFiles.CheckFreeSpace(
                check.Path,
                size,
                Math.Max(0, size - status.AllocatedBytes),
                volume.Space,
                GetVolumeName(volume, check.Path),
                check.Options
            );
        if (size > mark.FilledBytes && status.FilterDriver is { } filter)
            throw IoBenchException.Refused(
                "IoBench.FilteredFile",
                $"{check.Path} is managed by {filter}, so IoBench does not extend it.",
                check.Path,
                advice: $"Use {OptionNames.FileSize.WithValue(mark.FilledBytes)} or less, remove the file, or specify another file."
            );
        if (check.Writes || size > mark.FilledBytes)
            TargetCheck.CheckMayWrite(check.Path, status);
        if (check.Writes)
            check.Options.RecordApprovedFile(check.Target.Path, null);
        return CreateResult(check, TargetKind.Own, size, status, mark, volume, warnings, owner: owner);
    }

    private static CheckedTarget CheckOtherFile(
        TargetRequest check,
        SafeFileHandle handle,
        FileStatus status,
        Ownership owner,
        VolumeFacts volume
    )
    {
        CheckContent(check, handle, status.Size);
        if (check.Options.OwnFilesOnly)
            throw CreateNotOwnFileError(check.Path);
        if (check.Writes && owner.IsDamaged)
            throw IoBenchException.Refused(
                "IoBench.DamagedFile",
                $"{check.Path} {owner.Reason}. A write test would destroy the evidence.",
                check.Path,
                $"Use {IoCommand.Verify} with {OptionNames.WritePercent.WithValue(0)} to see the damage, and specify another file for the test."
            );
        if (status.Size == 0)
            throw IoBenchException.Refused(
                "IoBench.EmptyFile",
                $"{check.Path} is empty, and IoBench did not create it, so there is nothing to test.",
                check.Path,
                advice: "Remove the empty file, or specify another file."
            );
        var least = TestFiles.GetMinimumSize(check.Pattern, check.Target);
        if (TestFiles.RoundDown(status.Size, Math.Max(1, volume.LogicalSectorSize)) < least)
            throw IoBenchException.Refused(
                check.RequestedSize > status.Size ? ErrorIds.ForeignFile : "IoBench.InvalidSize",
                $"{check.Path} is {IoSize.Format(status.Size)} in size and {owner.Reason}, so IoBench does not extend it. Blocks of "
                    + $"{IoSize.Format(check.Pattern.BlockSize)} require a file of at least {IoSize.Format(least)}.",
                check.Path,
                advice: "Specify another file."
            );
        if (check.RequestedSize > status.Size)
            throw IoBenchException.Refused(
                ErrorIds.ForeignFile,
                $"{check.Path} is {IoSize.Format(status.Size)} in size and {owner.Reason}, so IoBench does not extend it.",
                check.Path,
                advice: $"Use {OptionNames.FileSize.WithValue(status.Size)} or less, or specify another file."
            );
        if (check.Writes)
            CheckMayOverwrite(check, status, owner);
        var warnings = new List<IoWarning>();
        var size = RoundToSectors(check.RequestedSize ?? status.Size, check, volume, warnings);
        if (!owner.HasNoMarker && !check.Spec.Verify)
            warnings.Add(
                new IoWarning(
                    WarningCodes.ChangedFile,
                    $"{check.Path} {owner.Reason}. The results apply to the file as it is now. Remove the file to test with a new one."
                )
            );
        return CreateResult(
            check,
            TargetKind.Foreign,
            size,
            status,
            null,
            volume,
            warnings,
            PlatformFiles.Current.HasUnallocatedRanges(handle, status),
            owner
        );
    }

    private static void CheckContent(TargetRequest check, SafeFileHandle handle, long size)
    {
        if (check.IsNamedAsSqlServer || TargetContent.FindInFile(handle, check.Path, size, sqlServerOnly: !check.Writes) is not { } found)
            return;
        if (found.IsSqlServer)
            CheckSqlServer(check, $"contains {found}");
        else
            throw IoBenchException.Refused(
                "IoBench.FileHasData",
                $"{check.Path} contains {found}. IoBench never writes to such a file.",
                check.Path,
                advice: "Specify another file."
            );
    }

    // After the refusals that no switch allows, so that the advice helps.
    private static void CheckMayOverwrite(TargetRequest check, FileStatus status, Ownership owner)
    {
        CheckMayWrite(check.Path, status);
        if (!check.Options.Permissions.CanOverwrite(check.Found, check.Target.Path))
            throw IoBenchException.Refused(
                ErrorIds.ForeignFile,
                owner.HasNoMarker
                    ? (IoMessage)$"IoBench did not create {check.Path}, and a write test would overwrite it."
                    : $"{check.Path} {owner.Reason}, and a write test would overwrite it.",
                check.Path,
                $"Use another file, or add {OptionNames.OverwriteFile.WithValue(Path.GetFileName(check.Path))} to overwrite this one."
            );
        check.Options.RecordApprovedFile(check.Target.Path, status);
    }

    internal static IoBenchException CreateNotOwnFileError(string path) =>
        IoBenchException.Refused(
            "IoBench.NotOwnFile",
            $"IoBench did not create {path}, and this command requires a file that IoBench created.",
            path,
            advice: "Specify a folder or a new file."
        );

    /// <param name="finding">Text to append to the path, such as <c>is a SQL Server file</c>.</param>
    private static void CheckSqlServer(TargetRequest check, string finding)
    {
        if (check.Writes || check.Options.OwnFilesOnly)
            throw IoBenchException.Refused(
                ErrorIds.SqlServerFile,
                $"{check.Path} {finding}, and IoBench never writes to SQL Server files.",
                check.Path,
                advice: $"Specify a separate test file, for example {SuggestTestFile(check.Path)}."
            );
        if (!check.Options.Permissions.ReadDatabase)
            throw IoBenchException.Refused(
                ErrorIds.SqlServerFile,
                $"{check.Path} {finding}. Reading it slows down the I/O of SQL Server.",
                check.Path,
                advice: $"Add {OptionNames.ReadDatabase} to read it anyway, or specify a test file, for example {SuggestTestFile(check.Path)}."
            );
    }

    internal static long RoundToSectors(long size, TargetRequest check, VolumeFacts volume, List<IoWarning> warnings)
    {
        var sector = Math.Max(1, volume.LogicalSectorSize);
        var whole = TestFiles.RoundDown(size, sector);
        TestFiles.CheckHoldsTest(whole, check.Pattern, check.Target, check.Path);
        if (whole != size)
            warnings.Add(
                new IoWarning(
                    WarningCodes.PartOfFile,
                    $"The test uses only {whole} of the {size} bytes of {check.Path}, because I/Os cover whole sectors of {sector} bytes."
                )
            );
        return whole;
    }

    internal static CheckedTarget CreateResult(
        TargetRequest check,
        TargetKind kind,
        long size,
        FileStatus? status,
        OwnershipMarker? mark,
        VolumeFacts volume,
        List<IoWarning> warnings,
        bool hasHoles = false,
        Ownership? owner = null
    )
    {
        var target = new CheckedTarget
        {
            Ownership = owner,
            Path = check.Path,
            Kind = kind,
            Size = size,
            Status = status,
            Marker = mark,
            Volume = volume,
            Request = check,
            HasUnallocatedRanges = hasHoles,
            SqlServerNeighbor = kind == TargetKind.Device ? null : SqlServerFile.FindOnSameVolume(check.Path),
            Warnings = warnings,
        };
        // The following checks were made for the plan; do not fail with them after hours of filling a file.
        if (check.PlannedSize is not null)
            return target;
        if (check.Pattern.Buffering is IoBuffering.None or IoBuffering.Hardware && volume.SupportsDirectIO == false)
            throw FileErrors.UnbufferedNotSupported(check.Path, check.Pattern.Buffering, volume.FileSystem);
        SpecificationValidator.ValidateForTarget(check.Pattern, check.Target, target.LogicalSectorSize);
        warnings.AddRange(target.CreateWarnings(check.Spec, check.Pattern, check.Target.Role));
        return target;
    }

    private static void CheckWritable(string path) => PlatformFiles.Current.OpenToWrite(path).Dispose();

    private static string SuggestTestFile(string path) => Path.Combine(Path.GetDirectoryName(path) ?? "", "iotest.dat");

    internal static string GetVolumeName(VolumeFacts volume, string path) =>
        volume.MountPoint?.TrimEnd('\\') ?? Path.GetPathRoot(path) ?? path;

    /// <summary>Refuses with any permission, because other programs use the file by another name or through a device.</summary>
    public static void CheckMayWrite(string path, FileStatus status)
    {
        CheckHardLinks(path, status);
        if (status.IsWriteProtected)
            throw IoBenchException.Refused(
                ErrorIds.WriteProtected,
                $"{path} is write-protected.",
                path,
                advice: "Remove the write protection, or specify another file."
            );
        if (PlatformFiles.Current.FindDeviceBackedBy(status) is { } device)
            throw IoBenchException.Refused(
                "IoBench.FileBacksDevice",
                $"{path} backs {device}, so IoBench never writes to it.",
                path,
                advice: "Specify another file, or remove the device first."
            );
    }

    public static void CheckHardLinks(string path, FileStatus status)
    {
        if (status is { Kind: FileKind.Regular, LinkCount: > 1 })
            throw IoBenchException.Refused(
                "IoBench.ManyNames",
                $"{path} has {status.LinkCount} names (hard links). A write would change the file under all names, so "
                    + $"IoBench never writes to it.",
                path,
                advice: "Specify another file, or remove the other hard links."
            );
    }
}
