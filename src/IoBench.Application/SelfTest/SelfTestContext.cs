using System.Diagnostics;
using IoBench.Engine;

namespace IoBench.Application;

internal sealed class SelfTestContext
{
    /// <summary>Size of the test file in bytes: enough for random reads, and filled within a second on most storage.</summary>
    public const long FileSize = 64L << 20;

    private const double BusyPercent = 90;

    private const string FileName = "iobench-self-test.dat";

    private SelfTestContext(SelfTestRequest request, CancellationToken token)
    {
        Request = request;
        Path = System.IO.Path.Combine(System.IO.Path.GetFullPath(request.FolderInUse), FileName);
        Token = token;
        Anonymizer = new Anonymizer(Path);
    }

    public SelfTestRequest Request { get; }

    public string Path { get; }

    public CheckedTarget Target { get; private set; } = null!;

    public Anonymizer Anonymizer { get; }

    public CancellationToken Token { get; }

    public BackendDescriptor Backend { get; private set; } = null!;

    public IReadOnlyList<string> UnusedBackendReasons { get; private set; } = [];

    /// <summary>Seconds that creating the test file took; null if the file existed.</summary>
    public double? FillSeconds { get; private set; }

    private readonly (long Clock, DateTime Calendar) _opened = (Clock.Now, DateTime.UtcNow);

    /// <summary>Difference between the rates of clock and calendar in ppm. A change of the system time affects it.</summary>
    public double GetClockDriftPpm()
    {
        var calendar = (DateTime.UtcNow - _opened.Calendar).TotalSeconds;
        return calendar <= 0 ? 0 : ((Clock.Now - _opened.Clock) / 1e9 / calendar - 1) * 1e6;
    }

    /// <summary>IOPS that this program can drive per core; null until measured.</summary>
    public double? IopsPerCore { get; set; }

    /// <summary>Whether the storage supports unbuffered I/O; null if the system does not report it.</summary>
    public bool? SupportsUnbufferedIO => Target.Volume.SupportsDirectIO;

    public static SelfTestContext Open(SelfTestRequest request, CancellationToken token)
    {
        var context = new SelfTestContext(request, token);
        var test = context.CreateTest(IoBuffering.Both);
        test.WritePercent = 100;
        var isThere = File.Exists(context.Path);
        var watch = Stopwatch.StartNew();
        context.Target = TestFiles.Prepare(test, test.Targets[0], new TestRunOptions(), progress: null, token);
        context.FillSeconds = isThere ? null : watch.Elapsed.TotalSeconds;
        var choice = new BackendNegotiation(BackendCatalog.Auto);
        context.Backend = choice.Kind;
        context.UnusedBackendReasons = choice.SkippedBackends;
        return context;
    }

    /// <summary>Removes the test file. Returns a failed check if the removal is refused; otherwise null.</summary>
    public SelfTestCheck? Close()
    {
        try
        {
            TestFiles.Remove(Path, CancellationToken.None);
            return null;
        }
        catch (IoBenchException error)
        {
            return SelfTestCheck.Fail(
                "Removal",
                "Removal",
                $"the test file is left behind: {error.Message}",
                $"Look at {FileName} in the folder and remove it"
            );
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
            Duration = TimeSpan.FromSeconds(1),
            WarmUp = TimeSpan.Zero,
            Seed = 1,
        };

    public OpenTarget OpenTestFile(IoTestSpecification test) =>
        TargetPreparation.Open(TargetCheck.Resolve(test, test.Targets[0], new TestRunOptions()), [], null, Token);

    /// <param name="clock">Modeled clock; null for the real clock.</param>
    /// <param name="backends">Creates the backends of the workers; null for the backend of the test.</param>
    public IoTestResult RunTest(IoTestSpecification test, VirtualClock? clock = null, Func<IoBackend>? backends = null)
    {
        using var run = new TestRun(test, new TestRunOptions { Quiet = true }, source: null, clock) { BackendFactory = backends };
        run.Start();
        using (Token.Register(run.Cancel))
            run.Wait(Timeout.InfiniteTimeSpan);
        Token.ThrowIfCancellationRequested();
        var result = run.GetResult();
        return result.Status == IoResultStatus.Complete
            ? result
            : throw IoBenchException.Failure(
                result.ErrorId ?? "IoBench.SelfTestFailed",
                result.ErrorMessage ?? "a test of the self-test ended early.",
                Path
            );
    }
}
