using System.Diagnostics;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Checks what this computer, its operating system, and this build can do. Takes about 20 s. Creates its
/// own test file and removes it.</summary>
public static class SelfTestRunner
{
    public const long FileSize = SelfTestContext.FileSize;

    private static readonly (string Code, string Subject, Func<SelfTestContext, IEnumerable<SelfTestCheck>> Make)[] s_checks =
    [
        ("Backend", "Backend", HostChecks.CheckBackend),
        ("System", "System", HostChecks.CheckSystem),
        ("Priority", "Priority", HostChecks.CheckPriority),
        ("Limits", "Limits", HostChecks.CheckLimits),
        ("Clock", "Clock", TimingChecks.CheckClock),
        ("Flags", "Open flags", BufferingChecks.CheckOpenFlags),
        ("Alignment", "Alignment", BufferingChecks.CheckAlignment),
        ("Unbuffered", "Unbuffered reads", BufferingChecks.CheckUnbufferedReads),
        ("Durability", "Durability", DurabilityCheck.CheckDurability),
        ("Pending", "Asynchronous I/O", BufferingChecks.CheckAsynchronousIO),
        ("Pace", "Pace", TimingChecks.CheckTargetRate),
        ("Cost", "Own cost", CpuCostCheck.CheckCost),
    ];

    public static string GetHeading(SelfTestRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        return $"Self-test in {request.FolderInUse}: a file of {new IoSize(FileSize).ToDisplayString()}, about 20 seconds.";
    }

    /// <param name="tell">Receives each check when it ends, on the calling thread; null for none.</param>
    /// <param name="token">Cancels the self-test. The test file is removed.</param>
    public static SelfTestReport Run(SelfTestRequest request, Action<SelfTestCheck>? tell, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(request);
        var watch = Stopwatch.StartNew();
        var context = SelfTestContext.Open(request, token);
        var checks = new List<SelfTestCheck>();
        SelfTestCheck? left;
        try
        {
            foreach (var (code, subject, make) in s_checks)
                RunCheck(context, code, subject, make).ForEach(Add);
        }
        finally
        {
            left = context.Close();
        }
        if (left is not null)
            Add(left);
        return new SelfTestReport
        {
            Checks = checks,
            Seconds = watch.Elapsed.TotalSeconds,
            IopsPerCore = context.IopsPerCore,
            Host = context.Anonymizer.GetHostFacts(),
            Storage = context.Anonymizer.GetStorageFacts(context.Target),
        };

        void Add(SelfTestCheck check)
        {
            var clean = context.Anonymizer.Clean(check);
            checks.Add(clean);
            tell?.Invoke(clean);
        }
    }

    // A check reports expected problems itself. Any other error becomes one more failed check.
    private static List<SelfTestCheck> RunCheck(
        SelfTestContext context,
        string code,
        string subject,
        Func<SelfTestContext, IEnumerable<SelfTestCheck>> make
    )
    {
        context.Token.ThrowIfCancellationRequested();
        var found = new List<SelfTestCheck>();
        try
        {
            found.AddRange(make(context));
        }
        catch (IoBenchException error)
        {
            context.Token.ThrowIfCancellationRequested();
            found.Add(SelfTestCheck.Fail(code, subject, error.Message, "See what the message says"));
        }
        return found;
    }
}
