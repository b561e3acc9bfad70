using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Decides whether a target may be used and how large it will be. Changes nothing.</summary>
internal static class TargetCheck
{
    /// <summary>Checks a target of a test.</summary>
    /// <exception cref="IoBenchException">It is refused.</exception>
    public static CheckedTarget Check(IoTestSpecification spec, IoTargetSpecification target, TestRunOptions options)
    {
        if ((target.FileSize ?? spec.FileSize) is <= 0)
            throw IoBenchException.Usage("IoBench.InvalidSize", "--size 0: a test file needs a size. Use for example --size 20GB, or leave it out.", target.Path);
        var path = TargetPath.Resolve(target.Path);
        var check = new Request(spec, target, options, spec.PatternOf(target), path);
        return path.Status switch
        {
            null => CheckNew(check),
            { Kind: FileKind.BlockDevice } => DeviceCheck.Check(check),
            { Kind: FileKind.Regular } => CheckExisting(check),
            _ => throw IoBenchException.Refused("IoBench.NotAFile", $"{path.Path} is a FIFO, socket or character device: it cannot be tested as storage. Name a file or a folder.", path.Path),
        };
    }

    /// <summary>What is checked, and where it led.</summary>
    internal sealed record Request(IoTestSpecification Spec, IoTargetSpecification Target, TestRunOptions Options, IoPattern Pattern, TargetPath Found)
    {
        public string Path => Found.Path;
        public bool Writes => Pattern.WritePercent > 0;
        public long? AskedSize => Target.FileSize ?? Spec.FileSize;

        /// <summary>Content without stamps: after a kill it would prove nothing.</summary>
        public bool WritesAreOpaque => Writes && Pattern.WriteContent != IoWriteContentKind.Random;
    }

    private static CheckedTarget CheckNew(Request check)
    {
        if (SqlServerFile.IsName(check.Path))
            throw IoBenchException.Refused("IoBench.SqlServerFile", $"{check.Path} would look like a SQL Server file: IoBench never makes one. Name a test file of its own, for example {Example(check.Path)}.", check.Path);
        var folder = Path.GetDirectoryName(check.Path)!;
        PlatformFiles.Current.CheckCanCreate(folder, check.Path);
        var volume = VolumeFacts.Collect(folder);
        if (volume.IsPseudo)
            throw IoBenchException.Refused("IoBench.NotAFile", $"{check.Path} does not exist, and {folder} ({volume.FileSystem}) is no place for a test file. Name a file, a folder or an existing device.", check.Path);
        var warnings = new List<string>();
        var size = check.AskedSize ?? SizePlan.Default(volume.Space, volume.LogicalSectorSize);
        size = Fit(size, check, volume, warnings);
        if (check.AskedSize is null && size < SizePlan.DefaultSize)
            warnings.Add($"{check.Path} is {Text(size)} because of the free space: a quick look. Use --size for a larger file.");
        SizePlan.CheckRoom(check.Path, size, size, volume.Space, VolumeName(volume, check.Path), check.Options.Force);
        return Result(check, TargetKind.New, size, null, null, volume, warnings);
    }

    private static CheckedTarget CheckExisting(Request check)
    {
        var named = SqlServerFile.IsName(check.Path) || SqlServerFile.IsName(check.Found.Given);
        // The name is enough to refuse, so that a file is not even opened that a server may be about to open exclusively.
        if (named)
            CheckSqlServer(check);
        using var handle = PlatformFiles.Current.OpenToRead(check.Path);
        var status = PlatformFiles.Current.GetStatus(handle, check.Path);
        if (status.Kind != FileKind.Regular)
            throw FileErrors.FromErrno(Errno.ELOOP, "open", check.Path);
        var owner = Ownership.Judge(handle, check.Path);
        var volume = VolumeFacts.Collect(check.Path, handle);
        return owner.IsOurs ? CheckOwn(check, status, owner.Mark!, volume) : CheckForeign(check, handle, status, owner.Reason, volume, named);
    }

    private static CheckedTarget CheckOwn(Request check, FileStatus status, FileMark mark, VolumeFacts volume)
    {
        var warnings = new List<string>();
        var size = Fit(check.AskedSize ?? mark.Size, check, volume, warnings);
        if (size > mark.Filled)
            SizePlan.CheckRoom(check.Path, size, Math.Max(0, size - status.AllocatedBytes), volume.Space, VolumeName(volume, check.Path), check.Options.Force);
        if (check.Writes || size > mark.Filled)
            CheckWritable(check.Path);
        return Result(check, TargetKind.Own, size, status, mark, volume, warnings);
    }

    private static CheckedTarget CheckForeign(Request check, SafeFileHandle handle, FileStatus status, string reason, VolumeFacts volume, bool named)
    {
        if (!named && SqlServerFile.IsContent(Head(handle, status.Size)))
            CheckSqlServer(check);
        if (check.Writes && !check.Options.Force)
            throw IoBenchException.Refused("IoBench.ForeignFile", reason == Ownership.NoMark
                ? $"{check.Path} exists and was not made by IoBench: a write test would destroy it. Add --force to use it all the same."
                : $"{check.Path} {reason}: a write test would destroy what it holds. Add --force to use it all the same.", check.Path);
        if (status.Size == 0)
            throw IoBenchException.Refused("IoBench.EmptyFile", $"{check.Path} is empty and was not made by IoBench: there is nothing to test. Remove it or name another file.", check.Path);
        if (check.AskedSize > status.Size)
            throw IoBenchException.Refused("IoBench.ForeignFile", $"{check.Path} has {Text(status.Size)} and {reason}, so it is not made longer. Use --size {status.Size} or less, or name another file.", check.Path);
        var warnings = new List<string>();
        var size = Fit(check.AskedSize ?? status.Size, check, volume, warnings);
        if (check.Writes)
            CheckWritable(check.Path);
        return Result(check, TargetKind.Foreign, size, status, null, volume, warnings, PlatformFiles.Current.HasHoles(handle, status));
    }

    private static void CheckSqlServer(Request check)
    {
        if (check.Writes)
            throw IoBenchException.Refused("IoBench.SqlServerFile", $"{check.Path} is a SQL Server file: IoBench never writes to one. Name a test file of its own, for example {Example(check.Path)}.", check.Path);
        if (!check.Options.AllowSqlServerRead && !check.Options.Force)
            throw IoBenchException.Refused("IoBench.SqlServerFile", $"{check.Path} is a SQL Server file: reading it takes the disk from whoever uses it. Add --force to read it all the same, or name a test file, for example {Example(check.Path)}.", check.Path);
    }

    /// <summary>Rounds a size down to whole sectors and checks that the test fits into it.</summary>
    internal static long Fit(long size, Request check, VolumeFacts volume, List<string> warnings)
    {
        var sector = Math.Max(1, volume.LogicalSectorSize);
        var whole = SizePlan.RoundDown(size, sector);
        SizePlan.CheckHoldsTest(whole, check.Pattern, check.Target, check.Path);
        if (whole != size)
            warnings.Add($"{check.Path}: of {size} bytes {whole} are used, whole sectors of {sector} bytes.");
        return whole;
    }

    /// <summary>The result of a check, once it is clear that the pattern can be run there; with all warnings.</summary>
    internal static CheckedTarget Result(Request check, TargetKind kind, long size, FileStatus? status, FileMark? mark, VolumeFacts volume, List<string> warnings, bool hasHoles = false)
    {
        var target = new CheckedTarget
        {
            Path = check.Path,
            Kind = kind,
            Size = size,
            Status = status,
            Mark = mark,
            Volume = volume,
            WritesInTest = check.Writes,
            WritesAreOpaque = check.WritesAreOpaque,
            HasHoles = hasHoles,
            SqlServerNeighbour = kind == TargetKind.Device ? null : SqlServerNearby.Find(check.Path),
            Warnings = warnings,
        };
        // Said now and not after hours of filling a file.
        if (check.Pattern.Buffering is IoBuffering.None or IoBuffering.Hardware && volume.DirectIO == false)
            throw IoBenchException.Failure("IoBench.NoDirectIo",
                $"{check.Path}: its file system ({volume.FileSystem}) does not do unbuffered I/O. Use another file system, or --buffering {(check.Pattern.Buffering == IoBuffering.None ? "software" : "both")}, and know that memory then answers.", check.Path);
        SpecificationValidator.ValidateForTarget(check.Pattern, check.Target, target.ToPrepared(createdNow: false, mark));
        warnings.AddRange(TargetWarnings.Of(check.Spec, check.Pattern, target));
        return target;
    }

    /// <summary>The start of a file, for <see cref="SqlServerFile.IsContent"/>.</summary>
    internal static byte[] Head(SafeFileHandle handle, long size)
    {
        var head = new byte[Math.Min(size, SqlServerFile.HeadBytes)];
        var length = 0;
        for (int read; length < head.Length && (read = RandomAccess.Read(handle, head.AsSpan(length), length)) > 0;)
            length += read;
        return head[..length];
    }

    private static void CheckWritable(string path) => PlatformFiles.Current.OpenToWrite(path).Dispose();

    private static string Example(string path) => Path.Combine(Path.GetDirectoryName(path) ?? "", "iotest.dat");

    private static string VolumeName(VolumeFacts volume, string path) => volume.MountPoint?.TrimEnd('\\') ?? Path.GetPathRoot(path) ?? path;

    private static string Text(long bytes) => new IoSize(bytes).ToDisplayString();
}
