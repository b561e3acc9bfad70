namespace IoBench.Engine;

public sealed class TestRunOptions
{
    /// <summary>What the user allows the test to do with its targets.</summary>
    public TargetPermissions Permissions { get; init; } = TargetPermissions.None;

    /// <summary>
    /// Whether to use only files that IoBench created, for runs that verify ownership later; overrides <see cref="Permissions"/>.
    /// </summary>
    public bool OwnFilesOnly { get; set; }

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

    /// <summary>Levels whose counters are read at the start and the end of the measured time; null = none.</summary>
    public StorageLevels? Stack { get; set; }

    private readonly System.Collections.Concurrent.ConcurrentDictionary<string, FileStatus?> _approvedFiles;

    public TestRunOptions() => _approvedFiles = new(StringComparer.Ordinal);

    /// <summary>
    /// Creates options for another test of the same call. They remember the files that were found at each path when it was first approved,
    /// but not the permissions of the other options.
    /// </summary>
    public TestRunOptions(TestRunOptions sameCall)
    {
        ArgumentNullException.ThrowIfNull(sameCall);
        _approvedFiles = sameCall._approvedFiles;
    }

    /// <summary>
    /// Records the file at a path when writing to it is first approved. A file that IoBench did not create can be overwritten only if it
    /// existed at that time. The approval does not cover a file that replaces it later.
    /// </summary>
    /// <param name="foreignFile">Status of a file or device that IoBench did not create; null if the path holds IoBench's file or
    /// none.</param>
    /// <exception cref="IoBenchException"><c>IoBench.TargetReplaced</c>: the path now leads to another file.</exception>
    internal void RecordApprovedFile(string path, FileStatus? foreignFile)
    {
        var first = _approvedFiles.GetOrAdd(path, foreignFile);
        if (foreignFile is { } found && first?.IsSame(found) != true)
            throw FileErrors.TargetReplaced(path);
    }
}
