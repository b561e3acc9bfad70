namespace IoBench.Engine.Planning;

/// <summary>What the caller allows and wants to hear: of the run, not of the test.</summary>
public sealed class TestRunOptions
{
    /// <summary>Use a file that IoBench did not make, or an empty raw device. Never holds for SQL Server's files, nor for a device with anything known on it.</summary>
    public bool Force { get; set; }

    /// <summary>
    /// Raw devices that need not be empty for <see cref="Force"/> to hold: the path as it is given, or the kernel's name (<c>/dev/sdx</c> or <c>sdx</c>;
    /// <c>\\.\PhysicalDrive1</c> or <c>PhysicalDrive1</c>). What is on one and known (a file system, a partition table …) is refused all the same.
    /// </summary>
    public IList<string> EraseDevices { get; init; } = [];

    /// <summary>Use nothing but files of IoBench's own, for a run that must be able to prove whose file it is; <see cref="Force"/> changes nothing of that.</summary>
    public bool OwnFilesOnly { get; set; }

    /// <summary>The caller has asked the user whether a SQL Server file may be read, or its volume be loaded.</summary>
    public bool AllowSqlServerRead { get; set; }

    /// <summary>Take no intermediate percentiles: nothing but the measurement itself runs.</summary>
    public bool Quiet { get; set; }

    /// <summary>Of checked tests: where acknowledged writes are noted, a file on another volume or <c>host:port</c> (<see cref="WitnessPlace"/>); null = nowhere.</summary>
    public string? Witness { get; set; }

    /// <summary>Receives what is really done (file, backend, flags), one line each; null = nobody listens. Called on the run's own thread.</summary>
    public Action<string>? Log { get; set; }

    /// <summary>
    /// Holds the run once all is armed: files open, buffers filled, workers waiting. Called on the run's own thread; returns the moment of the first I/O in nanoseconds of
    /// <see cref="System.Diagnostics.Stopwatch"/>'s clock, or null to begin at once. It returns early when its token is cancelled; what it throws ends the run. Null = nobody waits.
    /// </summary>
    public Func<CancellationToken, long?>? StartGate { get; set; }

    private readonly System.Collections.Concurrent.ConcurrentDictionary<string, FileStatus?> _handedOver;

    /// <summary>Options of a call of its own.</summary>
    public TestRunOptions() => _handedOver = new(StringComparer.Ordinal);

    /// <summary>
    /// Options for another test of the same call: what stood at a path when it was first allowed is remembered across its tests. The permissions are none of the
    /// other's.
    /// </summary>
    /// <param name="sameCall">Options of an earlier check or test of the call.</param>
    public TestRunOptions(TestRunOptions sameCall)
    {
        ArgumentNullException.ThrowIfNull(sameCall);
        _handedOver = sameCall._handedOver;
    }

    /// <summary>
    /// Notes what stood at a path when its writing was first allowed. What is not IoBench's own may be written by force only if it stood there then: whatever
    /// comes to the path later nobody has handed over.
    /// </summary>
    /// <param name="path">The path as the user gave it.</param>
    /// <param name="foreign">The file or device of others that is there; null for one of IoBench's own, and for none.</param>
    /// <exception cref="IoBenchException"><c>IoBench.TargetReplaced</c>: another one is there now.</exception>
    internal void HandOver(string path, FileStatus? foreign)
    {
        var first = _handedOver.GetOrAdd(path, foreign);
        if (foreign is { } found && first?.IsSame(found) != true)
            throw FileErrors.Replaced(path);
    }

    /// <summary>
    /// Notes that a test has written to its targets: what it left on a raw device is IoBench's own, so that later tests of the same run need no word for it.
    /// </summary>
    public void AddWritten(IoTestSpecification specification)
    {
        if (BackendCatalog.IsModelled(specification.Backend))
            return;
        foreach (var target in specification.Targets)
            if (specification.PatternOf(target).WritePercent > 0 && !EraseDevices.Contains(target.Path))
                EraseDevices.Add(target.Path);
    }
}
