namespace IoBench.Application.Outputs;

/// <summary>What a run asks of an output.</summary>
public sealed class OutputRequest
{
    /// <summary>A request for the file of a name.</summary>
    public OutputRequest(string path) => Path = path;

    /// <summary>The name as the user gave it.</summary>
    public string Path { get; }

    /// <summary>A file that is there may be replaced or gone on with. One without a byte may be anyway: it is what a killed run leaves.</summary>
    public bool MayExist { get; init; }

    /// <summary>A file that another program has open is refused at once, as Excel's are.</summary>
    public bool MustBeUnused { get; init; }

    /// <summary>Id of the error when the file cannot be written later on.</summary>
    public string FailedId { get; init; } = "IoBench.OutputFailed";
}

/// <summary>
/// An output of a run: results, a report. Its name is taken and locked from before the first test to the end, and every save replaces the whole file at once: it holds the old content or the
/// new one, never a part, and never takes the place of a file that is not this run's.
/// </summary>
public sealed class OutputFile : IDisposable
{
    private const int MaxNumbers = 10_000;
    private readonly OutputRequest _request;
    private readonly OutputSystem _system;
    private HeldFile _held;
    private bool _isEmpty;

    private OutputFile(OutputRequest request, OutputSystem system, string path, HeldFile held, bool isEmpty)
    {
        _request = request;
        _system = system;
        Path = path;
        _held = held;
        _isEmpty = isEmpty;
    }

    /// <summary>Full path of what is written, with links followed. Another one after a save that found somebody else's file under the name.</summary>
    public string Path { get; private set; }

    /// <summary>One line to show once: where the results are when they could not go where they were to; null when there is nothing to say.</summary>
    public string? Notice { get; private set; }

    /// <summary>Takes the name and locks it; what is no place for an output is refused, and nothing is changed that is there.</summary>
    /// <exception cref="IoBenchException">
    /// Those of <see cref="OutputPath.Resolve"/>; <c>IoBench.FileExists</c>, <c>IoBench.FileInUse</c>, <c>IoBench.OutputInUse</c>: another run has the same output; <c>IoBench.NotWritable</c>.
    /// </exception>
    public static OutputFile Claim(OutputRequest request) => ClaimOn(request, OutputSystem.Current);

    /// <summary>The same in another system's way.</summary>
    internal static OutputFile ClaimOn(OutputRequest request, OutputSystem system)
    {
        ArgumentNullException.ThrowIfNull(request);
        var path = OutputPath.Resolve(request.Path);
        HeldFile? held = null;
        try
        {
            if (path.Exists)
                CheckExisting(request, path.Full);
            held = system.TryHold(path.Full, out var isNew) ?? throw InUse(request.Path);
            // It may have appeared since.
            if (!isNew && !path.Exists)
                CheckExisting(request, path.Full);
            system.ClearLeftovers(path.Full);
            return new OutputFile(request, system, path.Full, held, isNew);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or IoBenchException)
        {
            held?.Dispose();
            if (
                error is IoBenchException
                {
                    ErrorId: ErrorIds.OutputInUse
                        or ErrorIds.FileExists
                        or ErrorIds.FileInUse
                        or ErrorIds.SqlServerFile
                        or ErrorIds.NotAFile
                }
            )
                throw;
            throw new IoBenchException(
                "IoBench.NotWritable",
                IoErrorKind.Refused,
                $"{request.Path} cannot be written: {OneLine(error)}.",
                request.Path,
                error,
                advice: "Choose another place or correct its permissions."
            );
        }
    }

    /// <summary>Replaces the file by what is written to the stream; on an error it stays as it was.</summary>
    /// <exception cref="IoBenchException"><see cref="OutputRequest.FailedId"/>: the file could not be written.</exception>
    public void Save(Action<Stream> write)
    {
        ArgumentNullException.ThrowIfNull(write);
        try
        {
            using var file = _system.Begin(Path);
            write(file.Stream);
            file.Flush();
            if (TryPlace(file) is { } placed)
                _held = placed;
            else
                PlaceBeside(file);
            _isEmpty = false;
        }
        catch (Exception error)
            when (error is IOException or UnauthorizedAccessException
                || error is IoBenchException { Kind: IoErrorKind.Failure or IoErrorKind.Refused or IoErrorKind.NotFound }
            )
        {
            if (System.IO.Path.GetDirectoryName(Path) is { } folder && !Directory.Exists(folder))
                throw IoBenchException.Failure(
                    _request.FailedId,
                    $"{_request.Path} cannot be written: its folder {folder} is gone.",
                    _request.Path,
                    error,
                    advice: $"{IoCommand.Import} {new OptionName("Last")} has the results of the last run, where a journal of it was kept."
                );
            throw IoBenchException.Failure(
                _request.FailedId,
                $"{_request.Path} cannot be written: {OneLine(error)}. What was there before is unchanged.",
                _request.Path,
                error
            );
        }
    }

    /// <summary>The line to show, once.</summary>
    public string? TakeNotice()
    {
        var notice = Notice;
        Notice = null;
        return notice;
    }

    /// <summary>Lets the name go. Where nothing was saved, nothing stays: the file that was made for the claim goes too.</summary>
    public void Dispose()
    {
        try
        {
            if (_isEmpty)
                _system.Remove(_held, Path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or IoBenchException)
        {
            // An empty file stays, which the next run takes over; whoever ends has an error to report already, or none.
        }
        _isEmpty = false;
        _held.Dispose();
    }

    /// <summary>The content as this run left it; null when the system cannot keep it open. Closed before the next save puts its file in place: Windows replaces no file that is open.</summary>
    internal Stream? OpenRead() => _held.OpenRead();

    /// <summary>Whether a file is this output's.</summary>
    internal bool Is(FileStatus status) => status.Identity == _held.Identity;

    /// <summary>Whether a name leads to this output.</summary>
    internal bool IsAt(string path) => PlatformFiles.Current.TryGetStatus(OutputPath.Resolve(path).Full) is { } status && Is(status);

    private static void CheckExisting(OutputRequest request, string path)
    {
        using (var file = InputFile.Open(path))
        {
            var head = new byte[SqlServerFile.HeadBytes];
            if (SqlServerFile.IsContent(head.AsSpan(0, file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false))))
                throw OutputPath.IsSqlServers(request.Path);
            if (!request.MayExist && file.Length > 0)
                throw IoBenchException.Refused(
                    ErrorIds.FileExists,
                    $"{request.Path} exists: add {Opt.Force} to replace it, or choose another name.",
                    request.Path
                );
        }
        if (!request.MustBeUnused)
            return;
        try
        {
            // Excel keeps its file open without sharing; replacing it would fail only after all the work.
            using var probe = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException error)
        {
            throw IoBenchException.Failure(
                ErrorIds.FileInUse,
                $"{request.Path} is open in another program: close it there (Excel?) and try again, or choose another name.",
                request.Path,
                error
            );
        }
    }

    private HeldFile? TryPlace(NewFile file)
    {
        try
        {
            return _system.TryPlace(file, Path, _held);
        }
        catch (Exception error)
            when (OperatingSystem.IsWindows() && error is IOException or UnauthorizedAccessException && File.Exists(Path))
        {
            // Open in another program since the claim.
            return null;
        }
    }

    /// <summary>Results are never thrown away: they get the first free name of <c>night-2.json</c>, <c>night-3.json</c> …</summary>
    private void PlaceBeside(NewFile file)
    {
        var wanted = Path;
        var (folder, name, extension) = (
            System.IO.Path.GetDirectoryName(wanted)!,
            System.IO.Path.GetFileNameWithoutExtension(wanted),
            System.IO.Path.GetExtension(wanted)
        );
        for (var number = 2; number < MaxNumbers; number++)
        {
            var free = System.IO.Path.Combine(folder, FormattableString.Invariant($"{name}-{number}{extension}"));
            if (_system.TryPlace(file, free, null) is not { } placed)
                continue;
            _held.Dispose();
            _held = placed;
            Path = free;
            Notice = $"{wanted} is another program's by now and was left alone: what was to go there is in {free}.";
            return;
        }
        throw new IOException("another program has taken the name");
    }

    private static IoBenchException InUse(string path) =>
        IoBenchException.Refused(
            ErrorIds.OutputInUse,
            $"{path} is the output of another run that goes on.",
            path,
            advice: "Choose another name, or wait for its end."
        );

    private static string OneLine(Exception error) => error.Message.ReplaceLineEndings(" ").TrimEnd('.', ' ');
}
