using System.Diagnostics;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Checks whether a computer can measure storage, and whether SQL Server can use the storage. Takes less than 15 s for up to
/// three folders. Creates its own test file and removes it.</summary>
public static class HostCheckRunner
{
    public const long FileSize = HostCheckContext.FileSize;

    private static readonly HostCheckStep[] s_hostChecks =
    [
        new("Backend", "Backend", HostChecks.CheckBackend),
        new("System", "System", HostChecks.CheckSystem),
        new("Priority", "Priority", HostChecks.CheckPriority),
        new("Limits", "Limits", HostChecks.CheckLimits),
        new("Clock", "Clock", HostChecks.CheckClock),
        new("Pace", "Pace", HostChecks.CheckTargetRate),
        new("OwnCost", "Own cost", HostChecks.CheckOwnCost),
        new("PageCache", "Page cache", HostChecks.CheckPageCache),
        new("Capacity", "Capacity", HostChecks.CheckCapacity),
    ];

    private static readonly HostCheckStep[] s_storageChecks =
    [
        new("FileSystem", "File system", SqlServerChecks.CheckFileSystem),
        new("Sectors", "Sectors", SqlServerChecks.CheckSectors),
        new("Partition", "Partition", SqlServerChecks.CheckPartition),
        new("Flags", "Open flags", BufferingChecks.CheckOpenFlags),
        new("Alignment", "Alignment", BufferingChecks.CheckAlignment),
        new("Unbuffered", "Unbuffered reads", BufferingChecks.CheckUnbufferedReads),
        new("Pending", "Asynchronous I/O", BufferingChecks.CheckAsynchronousIO),
        new("Durability", "Durability", BufferingChecks.CheckDurability),
        new("CommitSettings", "Commit settings", SqlServerChecks.CheckCommitSettings),
    ];

    /// <summary>The folders for the test files, on the storage to check; the user's temporary folder without any.</summary>
    public static IReadOnlyList<string> ChooseFolders(IEnumerable<string?> folders) =>
        folders.OfType<string>().Where(folder => !string.IsNullOrWhiteSpace(folder)).Distinct().ToList() is { Count: > 0 } chosen
            ? chosen
            : [Path.GetTempPath()];

    public static string GetHeading(IReadOnlyList<string> folders) =>
        $"Checks in {string.Join(", ", folders)}, with a test file of {IoSize.Format(FileSize)} in each folder. Duration: about {5 + 4 * folders.Count} seconds.";

    /// <param name="tell">Receives each check when it ends, on the calling thread; null for none.</param>
    /// <param name="token">Cancels the checks. The test file is removed.</param>
    public static HostCheckReport Run(IReadOnlyList<string> folders, Action<HostCheck>? tell, CancellationToken token)
    {
        var watch = Stopwatch.StartNew();
        List<HostCheck> checks = [];
        List<IReadOnlyDictionary<string, string>> storage = [];
        double? iopsPerCore = null;
        IReadOnlyDictionary<string, string> host = new Dictionary<string, string>();
        foreach (var folder in folders)
        {
            var context = HostCheckContext.Open(folder, folders.Count, token);
            var isFirst = storage.Count == 0;
            HostCheck? left;
            try
            {
                if (isFirst)
                    RunChecks(s_hostChecks, context, null);
                RunChecks(s_storageChecks, context, folder);
            }
            finally
            {
                left = context.Close();
            }
            if (left is not null)
                Add(context, left, folder);
            iopsPerCore ??= context.IopsPerCore;
            storage.Add(context.Anonymizer.GetStorageFacts(context.Target));
            if (isFirst)
                host = context.Anonymizer.GetHostFacts();
        }
        return new HostCheckReport
        {
            Checks = checks,
            Folders = folders,
            Seconds = watch.Elapsed.TotalSeconds,
            IopsPerCore = iopsPerCore,
            Host = host,
            Storage = storage,
        };

        void RunChecks(HostCheckStep[] steps, HostCheckContext context, string? folder)
        {
            foreach (var step in steps)
                if (RunCheck(context, step)?.WithName(step.Code, step.Subject) is { } check)
                    Add(context, check, folder);
        }

        void Add(HostCheckContext context, HostCheck check, string? folder)
        {
            var clean = context.Anonymizer.Clean(check) with { Path = folder, Source = check.Source };
            checks.Add(clean);
            tell?.Invoke(clean);
        }
    }

    // A check reports expected problems itself. Any other error becomes a failed check.
    private static HostCheck? RunCheck(HostCheckContext context, HostCheckStep step)
    {
        context.Token.ThrowIfCancellationRequested();
        try
        {
            return step.Run(context);
        }
        catch (IoBenchException error)
        {
            context.Token.ThrowIfCancellationRequested();
            return HostCheck.Fail(error.Message, "Correct the problem that the message describes");
        }
    }

    private sealed record HostCheckStep(string Code, string Subject, Func<HostCheckContext, HostCheck?> Run);
}
