using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Runs a commit test: all cases in turn, several rounds, so that a change of the storage affects all methods alike.</summary>
public static class CommitRunner
{
    /// <param name="onProgress">Receives a line about the file or the round, what is done, and the total, on the calling thread.</param>
    /// <param name="token">Cancels the test. The ownership marker of the file is closed.</param>
    /// <exception cref="IoBenchException">The file is refused, or an I/O failed.</exception>
    public static CommitResult Run(
        CommitPlan plan,
        TestRunOptions options,
        Action<string, long, long> onProgress,
        Action<IoWarning> onWarning,
        CancellationToken token
    )
    {
        using var process = new MeasurementProcessScope();
        if (process.Warning is { } warning)
            onWarning(warning);
        if (plan.Replica?.Secret.Warning is { } readable)
            onWarning(readable);
        // Before the file is created, so that a wrong address or secret is reported early.
        using var replica = plan.Replica is { } place ? ReplicaClient.Open(place.Endpoint, place.Secret, token) : null;
        return Use(
            plan.Test,
            options,
            plan.Extends,
            onProgress,
            onWarning,
            target => Measure(plan, target, replica, onProgress, token),
            token
        );
    }

    /// <summary>Opens the test file, and closes its ownership marker at the end.</summary>
    internal static T Use<T>(
        IoTestSpecification test,
        TestRunOptions options,
        bool extends,
        Action<string, long, long> onProgress,
        Action<IoWarning> onWarning,
        Func<CommitTarget, T> run,
        CancellationToken token
    )
    {
        using var target = CommitTarget.Open(
            test,
            options,
            extends,
            (step, done, total) => onProgress(SuiteMessages.FormatFileProgress(step, test.Targets[0].Path, done, total, 0), done, total),
            token
        );
        try
        {
            foreach (var about in target.GetWarnings())
                onWarning(about);
            var result = run(target);
            if (target.FindFileChange() is { } gone)
                onWarning(gone);
            return result;
        }
        finally
        {
            if (target.Close() is { } open)
                onWarning(new IoWarning(WarningCodes.MarkOpen, open));
        }
    }

    private static CommitResult Measure(
        CommitPlan plan,
        CommitTarget target,
        ReplicaClient? replica,
        Action<string, long, long> onProgress,
        CancellationToken token
    )
    {
        List<string> omissions = [];
        var cases = plan.Cases.Where(what => FindOmission(what, target, replica) is null).ToList();
        omissions.AddRange(plan.Cases.Select(what => FindOmission(what, target, replica)).OfType<string>().Distinct());
        if (cases.Count == 0)
            throw IoBenchException.Usage("IoBench.NoMeasurement", string.Join(" ", omissions), target.Path);
        var start = DateTimeOffset.Now;
        var samples = cases.ToDictionary(what => what, _ => new List<CommitSample>());
        var random = new Random((int)(plan.Test.Seed & int.MaxValue));
        var order = cases.ToArray();
        for (var round = 0; round < CommitPlan.Rounds; round++)
        {
            // Each round has another order, so that no method always follows the same one.
            random.Shuffle(order);
            for (var i = 0; i < order.Length; i++)
            {
                var (done, total) = (round * order.Length + i, CommitPlan.Rounds * order.Length);
                onProgress(CommitPlan.DescribeRound(order[i], done, total), done, total);
                samples[order[i]]
                    .Add(target.Run(order[i], plan.Duration / CommitPlan.Rounds, order[i].IsReplicated ? replica : null, token));
            }
        }
        return new CommitResult
        {
            Path = target.Path,
            StartTime = start,
            DurationSeconds = plan.Duration.TotalSeconds,
            Storage = CreateStorage(target),
            Measurements = [.. cases.Where(what => !what.IsReplicated).Select(what => CommitMeasurement.FromRounds(samples[what]))],
            Replica = replica is null
                ? null
                : new ReplicaResult
                {
                    Address = replica.Endpoint.ToString(),
                    IsLocal = replica.IsLocal,
                    Replica = replica.Replica,
                    Measurements = [.. cases.Where(what => what.IsReplicated).Select(what => ReplicaMeasurement.FromRounds(samples[what]))],
                },
            Omissions = omissions,
        };
    }

    private static string? FindOmission(CommitCase what, CommitTarget target, ReplicaClient? replica)
    {
        var sector = target.Target.LogicalSectorSize;
        if (what.WriteSize % sector != 0)
            return Invariant(
                $"Commits of {what.WriteSize:#,0} bytes were not measured, because the storage accepts only multiples of {sector:#,0} bytes."
            );
        if (what.IsReplicated && replica?.Replica.LogicalSectorSize is { } other && what.WriteSize % other != 0)
            return Invariant(
                $"Commits of {what.WriteSize:#,0} bytes were not measured with the replica, because the storage of the replica accepts only multiples of {other:#,0} bytes."
            );
        return what.IsMisaligned && target.MisalignedOffset is null
            ? "Misaligned commits were not measured, because the storage reports logical and physical sectors of the same size."
            : null;
    }

    private static CommitStorage CreateStorage(CommitTarget target) =>
        new()
        {
            IsWindows = OperatingSystem.IsWindows(),
            FileSystem = target.Target.FileSystem,
            Kernel = OperatingSystem.IsLinux() ? Environment.OSVersion.Version : null,
            Device = target.Target.Device,
            SupportsFua = target.SupportsForcedUnitAccess,
            HasVolatileCache = target.HasVolatileWriteCache,
            IsPowerProtectionDeclared = target.IsPowerProtectionDeclared,
            LogicalSectorSize = target.Target.LogicalSectorSize,
            PhysicalSectorSize = target.PhysicalSectorSize,
            IsInMemory = target.IsInMemory,
            IsNetwork = target.IsNetwork,
            FuaNotCountedReason = target.FuaReason,
        };
}
