using IoBench.Engine;
using IoBench.Formats;
using IoBench.Reports;

namespace IoBench.Application;

/// <summary>Output of a run. The name is locked from before the first test to the end of the run. Every save replaces the whole file
/// atomically. A file that another program created in the meantime is never replaced.</summary>
public sealed class OutputFile : IDisposable
{
    private const string DefaultFailedId = "IoBench.OutputFailed";
    private const int MaxNameNumber = 10_000;
    private readonly string _givenPath;
    private readonly string _failedId;
    private readonly PlatformOutputFiles _system;
    private readonly OutputFolder _folder;
    private OutputName _name;
    private LockedFile _lockedFile;
    private bool _isEmpty;

    private OutputFile(string givenPath, string failedId, PlatformOutputFiles system, OutputName name, LockedFile held, bool isEmpty)
    {
        _givenPath = givenPath;
        _failedId = failedId;
        _system = system;
        _folder = name.Folder;
        _name = name;
        Path = name.Path;
        _lockedFile = held;
        _isEmpty = isEmpty;
    }

    /// <summary>Full path with links resolved. It changes if a save finds another program's file under the name, or if the folder was
    /// moved.</summary>
    public string Path { get; private set; }

    /// <summary>Message about results that were saved under another name; null if there is none.</summary>
    public string? Notice { get; private set; }

    /// <summary>Checks the name and locks it. Existing content is not changed.</summary>
    /// <exception cref="IoBenchException">The errors of <see cref="ResolvePath"/>, <c>IoBench.FileExists</c>,
    /// <c>IoBench.FileInUse</c>, <c>IoBench.NotWritable</c>, and <c>IoBench.OutputInUse</c>: another run has the same output.</exception>
    /// <param name="mayExist">True to replace or resume an existing file. An empty file is always accepted, because a killed run can leave
    /// one.</param>
    /// <param name="mustBeUnused">True to refuse a file that another program has open, such as Excel.</param>
    /// <param name="failedId">Id of the error if the file cannot be written later.</param>
    /// <param name="keepsContent">True if the existing content is read and kept, so that it need not be IoBench's.</param>
    /// <param name="isOwn">Recognizes existing content that may be replaced; null for any output of IoBench.</param>
    /// <param name="system">For tests; null = the operating system.</param>
    public static OutputFile Reserve(
        string givenPath,
        bool mayExist = false,
        bool mustBeUnused = false,
        string failedId = DefaultFailedId,
        bool keepsContent = false,
        Func<FileStream, bool>? isOwn = null,
        PlatformOutputFiles? system = null
    )
    {
        system ??= PlatformOutputFiles.Current;
        var path = ResolvePath(givenPath);
        OutputFolder? folder = null;
        LockedFile? held = null;
        try
        {
            folder = OutputFolder.Open(System.IO.Path.GetDirectoryName(path.Full)!);
            var name = folder.GetName(System.IO.Path.GetFileName(path.Full));
            if (path.Exists)
                CheckExistingFile(givenPath, path.Full, mayExist, mustBeUnused, keepsContent, isOwn ?? IsRecognized);
            held = system.TryLockFile(name, out var isNew) ?? throw CreateInUseError(givenPath);
            // The file was created after the name was resolved.
            if (!isNew && !path.Exists)
                CheckExistingFile(givenPath, path.Full, mayExist, mustBeUnused, keepsContent, isOwn ?? IsRecognized);
            system.RemoveLeftovers(name, isNew);
            return new OutputFile(givenPath, failedId, system, name, held, isNew);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or IoBenchException)
        {
            held?.Dispose();
            folder?.Dispose();
            if (
                error is IoBenchException
                {
                    ErrorId: ErrorIds.OutputInUse
                        or ErrorIds.FileExists
                        or ErrorIds.FileInUse
                        or ErrorIds.WriteProtected
                        or ErrorIds.OutputNotRecognized
                        or ErrorIds.SqlServerFile
                        or ErrorIds.NotAFile
                        or ErrorIds.UntrustedFile
                        or ErrorIds.UntrustedLink
                }
            )
                throw;
            throw new IoBenchException(
                "IoBench.NotWritable",
                IoErrorKind.Refused,
                $"{givenPath} cannot be written: {FormatOnOneLine(error)}.",
                givenPath,
                error,
                advice: "Choose another folder, or correct the permissions."
            );
        }
    }

    /// <summary>Replaces the content of the file. The content does not change if an error occurs.</summary>
    /// <exception cref="IoBenchException">The file could not be written.</exception>
    public void Save(Action<Stream> write)
    {
        ArgumentNullException.ThrowIfNull(write);
        try
        {
            _folder.ReopenIfRecreated();
            using var file = _system.CreateTemporary(_name);
            write(file.Stream);
            file.Flush();
            if (TryMoveIntoPlace(file) is { } placed)
                _lockedFile = placed;
            else
                SaveUnderFreeName(file);
            _isEmpty = false;
            if (_folder.FindMovedPath() is { } moved)
                ReportMovedFolder(moved);
        }
        catch (Exception error)
            when (error is IOException or UnauthorizedAccessException
                || error is IoBenchException { Kind: IoErrorKind.Failure or IoErrorKind.Refused or IoErrorKind.NotFound }
            )
        {
            if (error is IncompleteReplacementException)
                throw IoBenchException.Failure(_failedId, $"{_givenPath} cannot be written: {FormatOnOneLine(error)}.", _givenPath, error);
            if (!Directory.Exists(_folder.Path) || _folder.IsDeleted)
                throw IoBenchException.Failure(
                    _failedId,
                    $"{_givenPath} cannot be written, because its folder {_folder.Path} no longer exists.",
                    _givenPath,
                    error,
                    advice: $"{IoCommand.Import} {new OptionName("Last")} shows the results of the last run if its journal still exists."
                );
            throw IoBenchException.Failure(
                _failedId,
                $"{_givenPath} cannot be written: {FormatOnOneLine(error)}. The existing file is unchanged.",
                _givenPath,
                error
            );
        }
    }

    /// <summary>Returns <see cref="Notice"/> and clears it, so that it is shown once.</summary>
    public string? TakeNotice()
    {
        var notice = Notice;
        Notice = null;
        return notice;
    }

    /// <summary>Unlocks the name. If nothing was saved, removes the file that was created to lock the name.</summary>
    public void Dispose()
    {
        try
        {
            if (_isEmpty)
                _system.RemoveIfUnmodified(_lockedFile, _name);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or IoBenchException)
        {
            // An empty file stays, which the next run accepts. The caller already has an error to report, if there is one.
        }
        _isEmpty = false;
        _lockedFile.Dispose();
        _folder.Dispose();
    }

    /// <summary>Opens the content of the last save; null if the platform cannot keep it open. Close the stream before the next save,
    /// because Windows does not replace an open file.</summary>
    internal Stream? OpenRead() => _lockedFile.OpenRead();

    internal bool IsSameFile(FileStatus status) => status.Identity == _lockedFile.Identity;

    internal bool IsSameFile(string path) => PlatformFiles.Current.TryGetStatus(ResolvePath(path).Full) is { } status && IsSameFile(status);

    private static void CheckExistingFile(
        string givenPath,
        string path,
        bool mayExist,
        bool mustBeUnused,
        bool keepsContent,
        Func<FileStream, bool> isOwn
    )
    {
        using (var file = OpenExistingFile(path))
        {
            var head = new byte[SqlServerFile.HeadBytes];
            if (SqlServerFile.IsSqlServerContent(head.AsSpan(0, file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false))))
                throw CreateSqlServerFileError(givenPath);
            if (PlatformFiles.Current.TryGetStatus(path) is { IsWriteProtected: true })
                throw IoBenchException.Refused(
                    ErrorIds.WriteProtected,
                    $"{givenPath} is write-protected.",
                    givenPath,
                    advice: "Remove the write protection first, or choose another name."
                );
            // Checked even without permission to replace the file, so that the advice helps.
            if (file.Length > 0 && !keepsContent && !isOwn(file))
                throw IoBenchException.Refused(
                    ErrorIds.OutputNotRecognized,
                    isOwn == IsRecognized
                        ? $"{givenPath} exists, and contains neither results nor an IoBench report. IoBench does not replace it."
                        : $"{givenPath} exists, and is not a metrics file from IoBench. IoBench does not replace it.",
                    givenPath,
                    advice: "Choose another name, or remove the file first."
                );
            if (!mayExist && file.Length > 0)
                throw IoBenchException.Refused(
                    ErrorIds.FileExists,
                    $"{givenPath} exists.",
                    givenPath,
                    advice: $"Add {OptionNames.Force} to replace it, or choose another name."
                );
        }
        if (!mustBeUnused)
            return;
        try
        {
            // Excel opens files without sharing, so a replacement would fail only at the end of the run.
            using var probe = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException error)
        {
            throw IoBenchException.Failure(
                ErrorIds.FileInUse,
                $"{givenPath} is open in another program, such as Excel. Close the file there, or choose another name.",
                givenPath,
                error
            );
        }
    }

    // .NET would resolve ".." as text, which leads to another file if a link to a folder precedes it.
    private static FileStream OpenExistingFile(string path) =>
        OperatingSystem.IsWindows() ? InputFiles.Open(path) : new FileStream(PlatformFiles.Current.OpenToRead(path), FileAccess.Read);

    private static bool IsRecognized(FileStream file) =>
        Report.IsReport(file) || ResultFormats.IsResultFile(file) || HostCheckReport.IsReport(file);

    private LockedFile? TryMoveIntoPlace(TemporaryFile file)
    {
        try
        {
            return _system.TryMoveIntoPlace(file, _name, _lockedFile);
        }
        catch (Exception error)
            when (OperatingSystem.IsWindows() && error is IOException or UnauthorizedAccessException && File.Exists(Path))
        {
            // Another program opened the file after the name was locked.
            return null;
        }
    }

    /// <summary>Saves under the first free name (<c>night-2.json</c>, <c>night-3.json</c>, …), so that results are never lost.</summary>
    private void SaveUnderFreeName(TemporaryFile file)
    {
        var wanted = Path;
        var name = System.IO.Path.GetFileNameWithoutExtension(wanted);
        var extension = System.IO.Path.GetExtension(wanted);
        for (var number = 2; number < MaxNameNumber; number++)
        {
            var free = _folder.GetName(FormattableString.Invariant($"{name}-{number}{extension}"));
            if (_system.TryMoveIntoPlace(file, free, null) is not { } placed)
                continue;
            _lockedFile.Dispose();
            _lockedFile = placed;
            _name = free;
            Path = free.Path;
            Notice =
                $"Another program opened, changed, or replaced {wanted}, so IoBench did not replace the file. The output is in {Path}.";
            return;
        }
        throw new IOException("IoBench found no unused file name");
    }

    private void ReportMovedFolder(string folder)
    {
        var path = System.IO.Path.Combine(folder, _name.Name);
        if (path == Path)
            return;
        Path = path;
        Notice = $"The folder {_folder.Path} was moved or replaced after the command started. The output is in {path}.";
    }

    private static IoBenchException CreateInUseError(string path) =>
        IoBenchException.Refused(
            ErrorIds.OutputInUse,
            $"{path} is the output of another run that is still active.",
            path,
            advice: "Choose another name, or wait until the other run ends."
        );

    private static string FormatOnOneLine(Exception error) => error.Message.ReplaceLineEndings(" ").TrimEnd('.', ' ');

    /// <summary>Same limit as the Linux kernel's.</summary>
    private const int MaxLinks = 40;

    /// <summary>Resolves a name and refuses names that no option can allow.</summary>
    /// <returns>The full path, which is not a link, and whether the file exists.</returns>
    private static (string Full, bool Exists) ResolvePath(string path)
    {
        if (string.IsNullOrWhiteSpace(path) || path.Contains('\0', StringComparison.Ordinal))
            throw IoBenchException.Usage(
                "IoBench.InvalidOutputPath",
                "The output name is empty, or is not a valid file name.",
                path,
                advice: "Specify a file."
            );
        CheckNotStream(path);
        var full = System.IO.Path.GetFullPath(path);
        if (OperatingSystem.IsWindows() && full.StartsWith(@"\\.\", StringComparison.Ordinal))
            throw CreateNotAFileError(path, "a device");
        CheckFileName(path, full);
        var status = CallSystem(path, () => PlatformFiles.Current.TryGetStatus(full));
        for (var links = 0; status is { Kind: FileKind.Link }; links++)
        {
            if (links == MaxLinks || CallSystem(path, () => PlatformFiles.Current.FollowLink(full)) is not { } target)
                throw IoBenchException.Refused(
                    "IoBench.BadLink",
                    $"{path} is a link that refers to itself.",
                    path,
                    advice: "Specify a file."
                );
            full = target;
            CheckFileName(path, full);
            status =
                CallSystem(path, () => PlatformFiles.Current.TryGetStatus(full))
                ?? throw IoBenchException.Refused(
                    "IoBench.BadLink",
                    $"{path} is a link to {full}, which does not exist.",
                    path,
                    advice: "Specify the file itself."
                );
        }
        if (status is { Kind: FileKind.Directory } || System.IO.Path.EndsInDirectorySeparator(full))
            throw IoBenchException.Usage(
                "IoBench.InvalidOutputPath",
                $"{path} is a folder.",
                path,
                advice: "Specify a file in the folder."
            );
        if (status is { Kind: not FileKind.Regular } other)
            throw CreateNotAFileError(path, other.Kind == FileKind.BlockDevice ? "a device" : "a pipe, a socket, or a device");
        PlatformFiles.Current.CheckFolderLinks(full);
        var folder = System.IO.Path.GetDirectoryName(full);
        if (folder is null || !Directory.Exists(folder))
            throw IoBenchException.NotFound(
                "IoBench.FolderNotFound",
                $"IoBench cannot write {path}, because the folder {folder} does not exist.",
                path,
                advice: "Create the folder first."
            );
        return (full, status is not null);
    }

    private static IoBenchException CreateSqlServerFileError(string path) =>
        IoBenchException.Refused(
            ErrorIds.SqlServerFile,
            $"{path} has the name or the contents of a SQL Server file. IoBench never writes to such a file, and no option allows it.",
            path,
            advice: "Choose another name."
        );

    private static void CheckNotStream(string path)
    {
        if (
            !OperatingSystem.IsWindows()
            && (
                path is "/dev/stdout" or "/dev/stderr"
                || path.StartsWith("/dev/fd/", StringComparison.Ordinal)
                || path.StartsWith("/proc/self/fd/", StringComparison.Ordinal)
            )
        )
            throw IoBenchException.Usage(
                ErrorIds.NotAFile,
                $"{path} is a stream, not a file.",
                path,
                advice: $"Results are already written to standard output. Remove the output file, and select the format with {new OptionName("Format")}."
            );
    }

    private static void CheckFileName(string path, string full)
    {
        if (SqlServerFile.HasSqlServerExtension(full))
            throw CreateSqlServerFileError(path);
    }

    private static IoBenchException CreateNotAFileError(string path, string what) =>
        IoBenchException.Refused(
            ErrorIds.NotAFile,
            $"{path} is {what}, not a file.",
            path,
            advice: "Specify a file, or remove the output option."
        );

    private static T CallSystem<T>(string path, Func<T> call)
    {
        try
        {
            return call();
        }
        catch (IoBenchException error) when (error.ErrorId != ErrorIds.UntrustedLink)
        {
            throw new IoBenchException(
                "IoBench.NotWritable",
                IoErrorKind.Refused,
                $"{path} cannot be written: {error.What}",
                path,
                error,
                error.Advice
            );
        }
    }
}
