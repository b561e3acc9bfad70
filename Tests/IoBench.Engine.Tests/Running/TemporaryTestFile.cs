namespace IoBench.Engine.Tests;

internal sealed class TemporaryTestFile : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-test-").FullName;

    public TemporaryTestFile(long size, string name = "t.dat")
    {
        Path = System.IO.Path.Combine(_folder, name);
        var bytes = new byte[size];
        new Random(1).NextBytes(bytes);
        File.WriteAllBytes(Path, bytes);
        Original = bytes;
    }

    public string Path { get; }

    public byte[] Original { get; }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>Creates a short test of this file without warm-up. It is buffered, so that it works on every file system.</summary>
    public IoTestSpecification CreateSpecification(Action<IoTestSpecification>? change = null)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(Path)],
            Duration = TimeSpan.FromMilliseconds(200),
            WarmUp = TimeSpan.Zero,
            ThreadCount = 2,
            OutstandingIO = 4,
            Buffering = IoBuffering.Both,
        };
        change?.Invoke(specification);
        return specification;
    }

    /// <summary>Runs a test with a known seed and without an ownership check.</summary>
    /// <param name="backends">Creates the backends of the test; null = the backends of the specification.</param>
    /// <param name="clock">Virtual clock of these backends; null = the real clock.</param>
    public static IoTestResult RunWithSeed(
        IoTestSpecification specification,
        ulong seed,
        Func<IoBackend>? backends = null,
        VirtualClock? clock = null
    )
    {
        using var run = new TestRun(specification, null, clock)
        {
            BackendFactory = backends,
            DescribeUnchecked = target =>
                new()
                {
                    Path = target.Path,
                    Size = new FileInfo(target.Path).Length,
                    ContentSeed = seed,
                },
            OpenUnchecked = (target, others) =>
                new(target, OpenFile.Open(target.Path, write: true, others.Select(o => o.File!)), session: null),
        };
        run.Start();
        run.Wait(Timeout.InfiniteTimeSpan);
        return run.GetResult();
    }

    /// <summary>
    /// Runs a test on this file without an ownership check. Repeats it if a busy computer gave it no CPU in its short time.
    /// </summary>
    public static IoTestResult Run(IoTestSpecification specification) =>
        TestTimeouts.RetryUntil(
            r => r.Status != IoResultStatus.Complete || r.IOCount > 0,
            () =>
                TestRun.Run(
                    specification,
                    new TestRunOptions
                    {
                        Permissions = new TargetPermissions { OverwriteFiles = [.. specification.Targets.Select(target => target.Path)] },
                    }
                )
        );
}
