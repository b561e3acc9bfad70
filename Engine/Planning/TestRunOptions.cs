namespace IoBench.Engine;

public sealed class TestRunOptions
{
    /// <summary>
    /// Whether to use a file that IoBench did not create, or an empty raw device. Never applies to SQL Server files or known content.
    /// </summary>
    public bool Force { get; set; }

    /// <summary>
    /// Raw devices that do not have to be empty if <see cref="Force"/> is set, by path or kernel's name (<c>/dev/sdx</c>,
    /// <c>PhysicalDrive1</c>). A device with known content (such as a file system or a partition table) is refused anyway.
    /// </summary>
    public IList<string> EraseDevices { get; init; } = [];

    /// <summary>
    /// Whether to use only files that IoBench created, for runs that verify ownership later; overrides <see cref="Force"/>.
    /// </summary>
    public bool OwnFilesOnly { get; set; }

    /// <summary>Whether the user has approved reading a SQL Server file, or loading its volume.</summary>
    public bool AllowSqlServerRead { get; set; }

    public bool Quiet { get; set; }

    /// <summary>Where a checked test records acknowledged writes, as in <see cref="WitnessAddress"/>; null = not recorded.</summary>
    public string? Witness { get; set; }

    /// <summary>Receives lines about the actual settings; null = not reported. Called on the run's own thread.</summary>
    public Action<string>? Log { get; set; }

    /// <summary>
    /// Holds the run when it is ready: files open, buffers filled, workers waiting. Called on the run's own thread. Returns the start time
    /// in nanoseconds of <see cref="System.Diagnostics.Stopwatch"/>'s clock, or null to start now; early if its token is canceled.
    /// Exceptions end the run.
    /// </summary>
    public Func<CancellationToken, long?>? StartGate { get; set; }

    private readonly System.Collections.Concurrent.ConcurrentDictionary<string, FileStatus?> _handedOver;

    public TestRunOptions() => _handedOver = new(StringComparer.Ordinal);

    /// <summary>
    /// Creates options for another test of the same call. They remember the files that were found at each path when it was first approved,
    /// but not the permissions of the other options.
    /// </summary>
    public TestRunOptions(TestRunOptions sameCall)
    {
        ArgumentNullException.ThrowIfNull(sameCall);
        _handedOver = sameCall._handedOver;
    }

    /// <summary>
    /// Records the file at a path when writing to it is first approved. A file that IoBench did not create can be overwritten only if it
    /// existed at that time. The approval does not cover a file that replaces it later.
    /// </summary>
    /// <param name="foreign">Status of a file or device that IoBench did not create; null if the path holds IoBench's file or none.</param>
    /// <exception cref="IoBenchException"><c>IoBench.TargetReplaced</c>: the path now leads to another file.</exception>
    internal void RecordApprovedFile(string path, FileStatus? foreign)
    {
        var first = _handedOver.GetOrAdd(path, foreign);
        if (foreign is { } found && first?.IsSame(found) != true)
            throw FileErrors.TargetReplaced(path);
    }

    /// <summary>After a test has written to its targets, later tests of the run may overwrite IoBench's own data on a raw device.</summary>
    public void AddWrittenDevices(IoTestSpecification specification)
    {
        if (BackendCatalog.IsModeled(specification.Backend))
            return;
        foreach (var target in specification.Targets)
            if (specification.GetPattern(target).WritePercent > 0 && !EraseDevices.Contains(target.Path))
                EraseDevices.Add(target.Path);
    }
}
