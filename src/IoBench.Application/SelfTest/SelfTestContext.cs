using System.Diagnostics;

namespace IoBench.Application.SelfTest;

/// <summary>What the checks share: the test file, the backend, and how a test is run.</summary>
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
        Names = new Nameless(Path);
    }

    /// <summary>What was asked for.</summary>
    public SelfTestRequest Request { get; }

    /// <summary>Full path of the test file.</summary>
    public string Path { get; }

    /// <summary>What is known of the test file and its storage.</summary>
    public CheckedTarget Prepared { get; private set; } = null!;

    /// <summary>Takes names out of texts.</summary>
    public Nameless Names { get; }

    /// <summary>Ends the self-test.</summary>
    public CancellationToken Token { get; }

    /// <summary>The backend that a test gets here.</summary>
    public BackendDescriptor Backend { get; private set; } = null!;

    /// <summary>Why better backends are not used, a sentence each.</summary>
    public IReadOnlyList<string> PassedOver { get; private set; } = [];

    /// <summary>How long the test file took to be made, in seconds; null when it was there.</summary>
    public double? FillSeconds { get; private set; }

    private readonly (long Clock, DateTime Calendar) _opened = (Clock.Now, DateTime.UtcNow);

    /// <summary>How much faster the clock went than the calendar since the self-test began, in millionths; somebody may have set the calendar.</summary>
    public double DriftPpm()
    {
        var calendar = (DateTime.UtcNow - _opened.Calendar).TotalSeconds;
        return calendar <= 0 ? 0 : ((Clock.Now - _opened.Clock) / 1e9 / calendar - 1) * 1e6;
    }

    /// <summary>I/Os per second that this program can drive per core; null until it is measured.</summary>
    public double? IopsPerCore { get; set; }

    /// <summary>Whether the storage takes unbuffered I/O; null = the system does not report it.</summary>
    public bool? IsUnbufferedPossible => Prepared.Volume.DirectIO;

    /// <summary>Makes the test file.</summary>
    /// <exception cref="IoBenchException">It cannot be made there.</exception>
    public static SelfTestContext Open(SelfTestRequest request, CancellationToken token)
    {
        var context = new SelfTestContext(request, token);
        var test = context.Test(IoBuffering.Both);
        test.WritePercent = 100;
        var isThere = File.Exists(context.Path);
        var watch = Stopwatch.StartNew();
        context.Prepared = TestFiles.Prepare(test, test.Targets[0], new TestRunOptions(), progress: null, token);
        context.FillSeconds = isThere ? null : watch.Elapsed.TotalSeconds;
        var choice = new BackendNegotiation(BackendCatalog.Auto);
        (context.Backend, context.PassedOver) = (choice.Kind, choice.PassedOver);
        return context;
    }

    /// <summary>Removes the test file, as any file that IoBench made; says so when that is refused.</summary>
    public SelfTestCheck? Close()
    {
        try
        {
            TestFiles.Remove(Path, force: false, CancellationToken.None);
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

    /// <summary>All processors were busy during a test: what was late or slow in it says nothing of anything else.</summary>
    public static bool IsBusy(IoTestResult result) => result.CpuPercent >= BusyPercent;

    /// <summary>A test of one second on the file: 8 KB random reads, one thread, one outstanding.</summary>
    public IoTestSpecification Test(IoBuffering buffering) =>
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

    /// <summary>Opens the file as a run does.</summary>
    public OpenTarget OpenTarget(IoTestSpecification test) =>
        TargetOpening.Open(TargetCheck.Resolve(test, test.Targets[0], new TestRunOptions()), [], null, Token);

    /// <summary>Runs a test to its end.</summary>
    /// <param name="clock">A modelled clock; null = the real one.</param>
    /// <param name="backends">Makes the workers' backends; null = those that the test asks for.</param>
    /// <exception cref="IoBenchException">It failed.</exception>
    public IoTestResult Run(IoTestSpecification test, VirtualClock? clock = null, Func<IoBackend>? backends = null)
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
