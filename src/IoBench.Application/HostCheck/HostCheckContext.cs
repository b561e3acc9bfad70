using IoBench.Engine;

namespace IoBench.Application;

internal sealed class HostCheckContext
{
    /// <summary>Size of the test file in bytes: enough for random reads, and filled within a second on most storage.</summary>
    public const long FileSize = 64L << 20;

    private const double BusyPercent = 90;

    private const string FileName = "iobench-check.dat";
    private const double MaxRoundSeconds = 0.3;
    private const double MinRoundSeconds = 0.1;

    private HostCheckContext(string folder, int folders, CancellationToken token)
    {
        Round = TimeSpan.FromSeconds(Math.Max(MinRoundSeconds, MaxRoundSeconds / folders));
        Path = System.IO.Path.Combine(System.IO.Path.GetFullPath(folder), FileName);
        Token = token;
        Anonymizer = new Anonymizer(Path);
    }

    public string Path { get; }

    public CheckedTarget Target { get; private set; } = null!;

    public Anonymizer Anonymizer { get; }

    public CancellationToken Token { get; }

    /// <summary>Duration of one measurement. It is shorter with several folders, so that three folders take less than 15 s.</summary>
    public TimeSpan Round { get; }

    /// <summary>IOPS that this program can drive per core; null until measured.</summary>
    public double? IopsPerCore { get; set; }

    public bool SupportsUnbufferedIO => Target.Facts.GetValueOrDefault("Unbuffered I/O") != "no";

    /// <param name="folders">Number of folders of the check.</param>
    public static HostCheckContext Open(string folder, int folders, CancellationToken token)
    {
        var context = new HostCheckContext(folder, folders, token);
        var test = context.CreateTest(IoBuffering.Both);
        test.WritePercent = 100;
        context.Target = TestFiles.Prepare(test, test.Targets[0], new TestRunOptions(), progress: null, token);
        return context;
    }

    /// <summary>Removes the test file. Returns a failed check if the removal is refused; otherwise null.</summary>
    public HostCheck? Close()
    {
        try
        {
            TestFiles.Remove(Path, CancellationToken.None);
            return null;
        }
        catch (IoBenchException error)
        {
            return HostCheck
                .Fail($"IoBench could not remove the test file: {error.Message}", $"Remove {FileName} from the folder")
                .WithName("Removal", "Removal");
        }
    }

    /// <summary>Whether all CPUs were busy during a test. Delays in such a test have no other meaning.</summary>
    public static bool IsBusy(IoTestResult result) => result.CpuPercent >= BusyPercent;

    public IoTestSpecification CreateTest(IoBuffering buffering) =>
        new()
        {
            Targets = [new IoTargetSpecification(Path)],
            FileSize = FileSize,
            Buffering = buffering,
            ThreadCount = 1,
            OutstandingIO = 1,
            Duration = Round,
            WarmUp = TimeSpan.Zero,
            Seed = 1,
        };

    /// <summary>A test of sequential writes with one outstanding I/O, as writes of a log.</summary>
    public IoTestSpecification CreateLogWriteTest(IoBuffering buffering, int blockSize)
    {
        var test = CreateTest(buffering);
        test.WritePercent = 100;
        test.BlockSize = blockSize;
        test.AccessPattern = IoAccessPattern.Sequential;
        return test;
    }

    /// <summary>A test that only shows how files are opened.</summary>
    public IoTestSpecification CreateShortTest(IoBuffering buffering)
    {
        var test = CreateTest(buffering);
        test.WritePercent = 50;
        test.Duration = TimeSpan.FromSeconds(0.05);
        return test;
    }

    public IoTestResult RunTest(IoTestSpecification test)
    {
        using var run = new TestRun(test, new TestRunOptions { Quiet = true });
        run.Start();
        using (Token.Register(run.Cancel))
            run.Wait(Timeout.InfiniteTimeSpan);
        Token.ThrowIfCancellationRequested();
        var result = run.GetResult();
        return result.Status == IoResultStatus.Complete
            ? result
            : throw IoBenchException.Failure(
                result.ErrorId ?? "IoBench.CheckFailed",
                result.ErrorMessage ?? "A test that is part of this check ended early.",
                Path
            );
    }
}
