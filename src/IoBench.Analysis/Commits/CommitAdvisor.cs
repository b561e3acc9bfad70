using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Turns the measurements of a commit test and the facts about its storage into advice for SQL Server.</summary>
internal sealed class CommitAdvisor
{
    /// <summary>A flash memory cell takes longer to write, so a faster acknowledgment comes from a cache.</summary>
    private const double CacheMs = 0.1;

    private const double BusyCpuPercent = 50;
    private const double BusyStolenPercent = 10;

    /// <summary>Other writes in percent of the test's own from which the device counts as busy.</summary>
    private const double BusyIOPercent = 20;

    /// <summary>Other I/O below this percentage belongs to the journal of the file system.</summary>
    private const double MentionedIOPercent = 5;

    private const double UsesFua = 0.9;
    private const double UsesNoFua = 0.1;
    private const string Repeat = "Repeat with a longer duration on an idle computer";

    /// <summary>Name of the value of the settings' finding that states the setting: fua, flush, any, inconclusive, or none.</summary>
    public const string SettingValue = "Setting";

    private readonly CommitResult _result;
    private readonly CommitStorage _storage;
    private readonly IReadOnlyList<CommitMeasurement> _main;
    private readonly string? _disturbance;

    private CommitAdvisor(CommitResult result)
    {
        _result = result;
        _storage = result.Storage;
        // The usual log write is 4 KB. If it was not measured, the first size counts.
        var plain = result.Measurements.Where(item => item is { Extends: false, IsMisaligned: false }).ToList();
        var size = plain.Any(item => item.WriteSize == 4096) ? 4096 : plain.FirstOrDefault()?.WriteSize;
        _main = plain.FindAll(item => item.WriteSize == size);
        _disturbance = FindDisturbance();
    }

    public static IEnumerable<Finding> Advise(CommitResult result)
    {
        var advisor = new CommitAdvisor(result);
        yield return advisor.AdviseSettings();
        foreach (
            var finding in new[]
            {
                advisor.FindNoStorage(),
                advisor.FindCacheAcknowledgment(),
                advisor.FindGroupCommit(),
                advisor.FindSmallWritePenalty(),
                advisor.FindMisalignmentPenalty(),
                advisor.FindExtendingCost(),
                advisor.FindOtherIO(),
                advisor.FindNotCounted(),
            }
        )
            if (finding is not null)
                yield return finding;
    }

    private Finding AdviseSettings()
    {
        if (Find(CommitMethod.WriteThrough, _main) is not { } writeThrough)
            return CreateSettings("none", "IoBench did not measure write-through, so it cannot recommend settings.");
        return _storage.IsWindows ? AdviseWindows(writeThrough) : AdviseLinux(writeThrough);
    }

    private Finding AdviseWindows(CommitMeasurement writeThrough)
    {
        var time = DescribeTime(writeThrough);
        if (_storage.IsPowerProtectionDeclared)
            return CreateSettings(
                "none",
                $"{time} Windows sends no flushes to the device, because the write-cache policy of the disk assumes that the cache has power-loss protection.",
                "If the cache has no power-loss protection, open the properties of the disk in Device Manager. On the Policies tab, clear 'Turn off Windows write-cache buffer flushing on the device'",
                FindingSeverity.Warning
            );
        if (_storage is { SupportsFua: false, HasVolatileCache: true })
            return CreateSettings(
                "none",
                $"{time} The device has a volatile write cache and does not support write-through, so commits can be lost in a power failure.",
                "In Device Manager, on the Policies tab of the disk, clear 'Enable write caching on the device', or use a device with power-loss protection",
                FindingSeverity.Warning
            );
        return CreateSettings(
            "none",
            $"{time} SQL Server on Windows always uses write-through for the log, so no setting is necessary.",
            writeThrough.AverageMs > 1
                ? "Check the cache policy of the disk and the controller: write caching is safe only if the cache has power-loss protection"
                : null
        );
    }

    private Finding AdviseLinux(CommitMeasurement writeThrough)
    {
        if (CommitSettings.GetFirstFuaKernel(_storage.FileSystem) is not { } since)
            return CreateSettings(
                "none",
                $"The commit settings of SQL Server on Linux apply only to xfs and ext4, not to {_storage.FileSystem ?? "this file system"}.",
                "Repeat the test on the volume of the log. The volume must use xfs or ext4"
            );
        var isKernelNew = _storage.Kernel is null || _storage.Kernel >= since;
        var counted = writeThrough.FuaWritesPerCommit;
        if (counted < UsesNoFua && _storage.SupportsFua == true && isKernelNew && _storage.HasVolatileCache != false)
            return CreateSettings(
                "flush",
                "The device reports that it supports FUA, but the kernel sent write-through writes without FUA and flushed the cache instead.",
                $"For SQL Server on Linux, keep the default: {CommitSettings.WithFlush}. Check the layers between the file system and the device (RAID, encryption)"
            );
        if (_storage.SupportsFua == true && !isKernelNew && !(counted >= UsesFua))
            return CreateSettings(
                "flush",
                $"The device supports FUA, but {_storage.FileSystem} uses FUA only in kernel {since} and later. This kernel is {_storage.Kernel}.",
                $"For SQL Server on Linux, keep the default: {CommitSettings.WithFlush}. To use FUA, update the kernel"
            );
        if (counted >= UsesFua || _storage.SupportsFua == true)
            return AdviseDeviceWithFua();
        if (_storage.SupportsFua is null && counted is null)
            return CreateSettings(
                "inconclusive",
                $"Inconclusive: the device does not report whether it supports FUA, and IoBench could not count FUA writes ({_storage.FuaNotCountedReason ?? "reason unknown"}).",
                $"Keep the default: {CommitSettings.WithFlush}. To count FUA writes, run as root with tracefs mounted"
            );
        return CreateSettings(
            "flush",
            (
                _storage.HasVolatileCache == false
                    ? "The device reports that it has no volatile write cache, so the kernel sends neither flushes nor FUA writes."
                    : "The device does not support FUA, so each write-through write requires a flush of the device cache."
            ) + DescribeDefault(),
            $"For SQL Server on Linux, keep the default: {CommitSettings.WithFlush}"
        );
    }

    private Finding AdviseDeviceWithFua()
    {
        var pairs = _main
            .Where(item => item.Method == CommitMethod.WriteThrough)
            .Select(item => (Fua: item, Flush: Find(CommitMethod.GroupedFlush, _main, item.Committers)))
            .Where(pair => pair.Flush is not null)
            .OrderBy(pair => pair.Fua.Committers)
            .Select(pair => (pair.Fua.Committers, Change: Compare(pair.Fua, pair.Flush!)))
            .ToList();
        const string supports = "The device supports FUA, and the file system uses it.";
        var faster = pairs.FindAll(pair => pair.Change.Verdict == ComparisonVerdict.Better);
        var slower = pairs.FindAll(pair => pair.Change.Verdict == ComparisonVerdict.Worse);
        if (faster.Count > 0 && (slower.Count == 0 || faster[0].Committers < slower[0].Committers))
        {
            var (committers, change) = faster[0];
            var but =
                slower.Count == 0
                    ? ""
                    : $" With {NumberFormat.Pluralize(slower[0].Committers, "committer")}, a grouped flush is {DescribeFactor(1 / slower[0].Change.Factor)} faster than write-through. SQL Server does not need grouped flushes, because it already groups commits before each log write.";
            return CreateSettings(
                "fua",
                $"{supports} With {NumberFormat.Pluralize(committers, "committer")}, write-through is {DescribeFactor(change.Factor)} faster than a flush.{but}",
                $"For SQL Server on Linux, use FUA: {CommitSettings.WithFua}. Expected gain: {DescribeFactor(change.Factor)}",
                FindingSeverity.Info,
                new FindingEvidence("Gain", change.Factor)
            );
        }
        if (slower.Count > 0)
            return CreateSettings(
                "flush",
                $"{supports} But with {NumberFormat.Pluralize(slower[0].Committers, "committer")}, a flush is {DescribeFactor(1 / slower[0].Change.Factor)} faster than write-through.",
                $"For SQL Server on Linux, keep the default: {CommitSettings.WithFlush}"
            );
        if (pairs.Count > 0 && pairs.TrueForAll(pair => pair.Change.Verdict == ComparisonVerdict.NoDetectableChange))
            return CreateSettings(
                "any",
                $"{supports} Write-through and a flush are equally fast (they differ by less than 10%), so no setting makes commits faster.",
                $"Keep the current settings, or use FUA: {CommitSettings.WithFua}"
            );
        return CreateSettings(
            "inconclusive",
            $"Inconclusive: {char.ToLowerInvariant(supports[0])}{supports[1..]} But {_disturbance ?? "the differences between the methods are within the run-to-run spread"}.",
            $"{Repeat}. Until then, keep the current settings"
        );
    }

    /// <summary>Compares the default of SQL Server with write-through on a device without FUA, at the highest number of committers with a
    /// clear difference.</summary>
    private string DescribeDefault()
    {
        foreach (var item in _main.Where(item => item.Method == CommitMethod.WriteThrough).OrderByDescending(item => item.Committers))
        {
            if (Find(CommitMethod.GroupedFlush, _main, item.Committers) is not { } grouped)
                continue;
            var change = Compare(grouped, item);
            var committers = NumberFormat.Pluralize(item.Committers, "committer");
            if (change.Verdict == ComparisonVerdict.Better)
                return $" With {committers}, a grouped flush is {DescribeFactor(change.Factor)} faster than write-through.";
            if (change.Verdict == ComparisonVerdict.Worse)
                return $" With {committers}, write-through was {DescribeFactor(1 / change.Factor)} faster than the default in this test. Microsoft recommends the default for devices without FUA ({CommitSettings.Source}).";
        }
        return "";
    }

    private Finding? FindNoStorage() =>
        _storage.IsInMemory || _storage.IsNetwork
            ? _result.CreateFinding(
                FindingCodes.CommitNoDisk,
                _storage.IsInMemory
                    ? $"{_result.Path} is in memory ({_storage.FileSystem}). The results do not measure storage."
                    : $"{_result.Path} is on another computer ({_storage.FileSystem}). The results include the network and the cache of that computer.",
                _storage.IsInMemory
                    ? "Use a folder on the storage of the log"
                    : "Ask the storage team whether acknowledged writes survive a power failure",
                FindingSeverity.Warning
            )
            : null;

    private Finding? FindCacheAcknowledgment()
    {
        if (_storage.IsInMemory || Find(CommitMethod.WriteThrough, _main) is not { AverageMs: < CacheMs and var average } writeThrough)
            return null;
        return _result.CreateFinding(
            FindingCodes.CommitCache,
            Invariant(
                $"The device acknowledges writes in {average * 1000:0} us, but flash memory cannot store data that fast. Either the device cache has power-loss protection, or the writes are not durable."
            ),
            "To find out, run `iobench verify --witness`",
            FindingSeverity.Warning,
            new FindingEvidence("AverageMs", writeThrough.AverageMs, "ms")
        );
    }

    private Finding? FindGroupCommit()
    {
        // Without a volatile cache, no flush reaches the device.
        if (
            _storage.HasVolatileCache == false
            || _main.MaxBy(item => item.Committers) is not { Committers: > 1 and var most }
            || Find(CommitMethod.GroupedFlush, _main, most) is not { } grouped
            || Find(CommitMethod.FlushEach, _main, most) is not { } each
        )
            return null;
        var change = Compare(grouped, each);
        var committers = NumberFormat.Pluralize(most, "committer");
        return change.Verdict switch
        {
            ComparisonVerdict.Better => _result.CreateFinding(
                FindingCodes.CommitGroup,
                $"With {committers}, one flush for a group of commits is {DescribeFactor(change.Factor)} faster than a flush after each write.",
                null
            ),
            ComparisonVerdict.Inconclusive => _result.CreateFinding(
                FindingCodes.CommitInconclusive,
                $"Inconclusive: with {committers}, a grouped flush and a flush after each write differ by a factor of {FormatFactor(Math.Max(change.Factor, 1 / change.Factor))}, but {_disturbance ?? "this difference is within the run-to-run spread"}.",
                Repeat
            ),
            _ => null,
        };
    }

    private Finding? FindSmallWritePenalty()
    {
        if (_storage.LogicalSectorSize >= _storage.PhysicalSectorSize)
            return null;
        var small = FindWriteThrough(size => size < _storage.PhysicalSectorSize, extends: false, isMisaligned: false);
        var whole = FindWriteThrough(size => size == _storage.PhysicalSectorSize, extends: false, isMisaligned: false);
        if (small is null || whole is null)
            return null;
        return DescribePenalty(
            FindingCodes.CommitSectors,
            $"A commit of {IoSize.Format(small.WriteSize)}",
            $"a commit of {IoSize.Format(whole.WriteSize)}, because the device rewrites a whole physical sector of {IoSize.Format(_storage.PhysicalSectorSize)} for each smaller write",
            small,
            whole,
            "For a log disk, format the device with 4 KB sectors if it supports them. If only some replicas have 512-byte sectors, use trace flag 1800 on the servers with 512-byte sectors"
        );
    }

    private Finding? FindMisalignmentPenalty()
    {
        if (FindWriteThrough(IsMainSize, extends: false, isMisaligned: true) is not { } misaligned)
            return null;
        if (FindWriteThrough(IsMainSize, extends: false, isMisaligned: false, misaligned.Committers) is not { } aligned)
            return null;
        return DescribePenalty(
            FindingCodes.CommitMisaligned,
            $"A misaligned commit of {IoSize.Format(misaligned.WriteSize)}",
            "an aligned one",
            misaligned,
            aligned,
            "Align the partition to 1 MB. If only some replicas have 512-byte sectors, use trace flag 1800 on the servers with 512-byte sectors"
        );
    }

    private Finding? FindExtendingCost()
    {
        if (FindWriteThrough(IsMainSize, extends: true, isMisaligned: false) is not { } extending)
            return null;
        if (FindWriteThrough(IsMainSize, extends: false, isMisaligned: false, extending.Committers) is not { } overwriting)
            return null;
        return DescribePenalty(
            FindingCodes.CommitExtending,
            "A commit that extends the file",
            "a commit that overwrites existing space, because extending the file also writes file system metadata",
            extending,
            overwriting,
            "Create the log file with its final size, and avoid frequent growth"
        );
    }

    private bool IsMainSize(int size) => _main.Count > 0 && size == _main[0].WriteSize;

    private CommitMeasurement? FindWriteThrough(Func<int, bool> isSize, bool extends, bool isMisaligned, int? committers = null) =>
        Find(
            CommitMethod.WriteThrough,
            [.. _result.Measurements.Where(item => item.Extends == extends && item.IsMisaligned == isMisaligned && isSize(item.WriteSize))],
            committers
        );

    private Finding DescribePenalty(
        string code,
        string subject,
        string comparedWith,
        CommitMeasurement slow,
        CommitMeasurement fast,
        string advice
    )
    {
        var change = Compare(fast, slow);
        FindingEvidence[] evidence = [new(slow.WriteDescription, slow.AverageMs, "ms"), new(fast.WriteDescription, fast.AverageMs, "ms")];
        return change.Verdict switch
        {
            ComparisonVerdict.Better => _result.CreateFinding(
                code,
                $"{subject} takes {DescribeFactor(change.Factor)} as long as {comparedWith}.",
                advice,
                FindingSeverity.Warning,
                evidence
            ),
            ComparisonVerdict.Inconclusive => _result.CreateFinding(
                FindingCodes.CommitInconclusive,
                $"Inconclusive: {char.ToLowerInvariant(subject[0])}{subject[1..]} takes {DescribeFactor(change.Factor)} as long as {comparedWith.Split(',')[0]}, but {_disturbance ?? "this difference is within the run-to-run spread"}.",
                Repeat,
                FindingSeverity.Info,
                evidence
            ),
            _ => _result.CreateFinding(
                code,
                $"{subject} does not take longer than {comparedWith.Split(',')[0]}.",
                null,
                FindingSeverity.Info,
                evidence
            ),
        };
    }

    private Finding? FindOtherIO()
    {
        var (reads, bytes, percent) = GetOtherIO();
        if (percent < MentionedIOPercent)
            return null;
        return _result.CreateFinding(
            FindingCodes.CommitOtherIO,
            $"During the test, {string.Join(", ", CountedDevices)} also served {NumberFormat.PluralizeGrouped(reads, "read")} and {IoSize.Format(bytes)} of writes from other programs or the file system.",
            percent >= BusyIOPercent ? "Stop other programs that use the device, and repeat the test" : null,
            percent >= BusyIOPercent ? FindingSeverity.Warning : FindingSeverity.Info,
            new FindingEvidence("Other writes", bytes, "bytes"),
            new FindingEvidence("Other reads", reads)
        );
    }

    private Finding? FindNotCounted()
    {
        if (_result.Measurements.Count == 0 || _storage.FuaNotCountedReason is not { } reason)
            return null;
        List<string> missing = [];
        if (_result.Measurements.Any(item => item.WritesPerCommit is null))
            missing.Add("writes");
        if (_result.Measurements.Any(item => item.FlushesPerCommit is null))
            missing.Add("flushes");
        var names = missing.Count == 0 ? "FUA writes" : $"{string.Join(", ", missing)}{(missing.Count > 1 ? "," : "")} and FUA writes";
        return _result.CreateFinding(
            FindingCodes.CommitNotCounted,
            $"{char.ToUpperInvariant(names[0])}{names[1..]} were not counted: {reason}.",
            null
        );
    }

    private IEnumerable<string> CountedDevices => _result.Measurements.SelectMany(item => item.DeviceCounts?.Devices ?? []).Distinct();

    private string? FindDisturbance()
    {
        var cpu = _result.Measurements.Select(item => item.OtherCpuPercent ?? 0).DefaultIfEmpty().Average();
        var stolen = _result.Measurements.Select(item => item.StolenCpuPercent).DefaultIfEmpty().Average();
        return DescribeBusyCpu(cpu, stolen) ?? (GetOtherIO().Percent >= BusyIOPercent ? "the device also served other I/O" : null);
    }

    /// <summary>Who used the CPUs, such as <c>other programs used 81% of the CPU time</c>; null if they were free.</summary>
    public static string? DescribeBusyCpu(double? otherPercent, double stolenPercent) =>
        otherPercent >= BusyCpuPercent ? Invariant($"other programs used {otherPercent:0}% of the CPU time")
        : stolenPercent >= BusyStolenPercent
            ? Invariant($"the hypervisor gave {stolenPercent:0}% of the CPU time to other virtual machines")
        : null;

    /// <summary>I/O that the test did not request, and its share of the test's own I/O in percent.</summary>
    private (long Reads, long Bytes, double Percent) GetOtherIO()
    {
        // The file cache and extensions cause other writes by design, and a volume on several devices can write each block several times.
        var comparable = _result.Measurements.Where(item =>
            item is { Method: not CommitMethod.BufferedFlush, Extends: false, DeviceCounts.Devices.Count: 1, WriteCount: > 0 }
        );
        var (reads, other, own, writes) = (0L, 0L, 0L, 0L);
        foreach (var item in comparable)
        {
            reads += item.DeviceCounts!.Reads;
            other += Math.Max(0, item.DeviceCounts.WriteBytes - item.WriteCount * item.WriteSize);
            own += item.WriteCount * item.WriteSize;
            writes += item.WriteCount;
        }
        return own == 0 ? (reads, other, 0) : (reads, other, 100.0 * Math.Max(other / (double)own, reads / (double)writes));
    }

    private (ComparisonVerdict Verdict, double Factor) Compare(CommitMeasurement one, CommitMeasurement other) =>
        CommitMeasurement.CompareRates(one.RoundRates, other.RoundRates, _disturbance is not null);

    private static CommitMeasurement? Find(CommitMethod method, IReadOnlyList<CommitMeasurement> items, int? committers = null) =>
        items.Where(item => item.Method == method && (committers is null || item.Committers == committers)).MinBy(item => item.Committers);

    private static string DescribeTime(CommitMeasurement item) =>
        Invariant($"With {NumberFormat.Pluralize(item.Committers, "committer")}, a commit takes {item.AverageMs ?? 0:0.000} ms.");

    private static string DescribeFactor(double factor) => FormatFactor(factor) + " times";

    private static string FormatFactor(double factor) => Invariant($"{factor:0.0}");

    private Finding CreateSettings(
        string setting,
        string what,
        string? whatToDo = null,
        FindingSeverity severity = FindingSeverity.Info,
        params FindingEvidence[] evidence
    ) =>
        _result.CreateFinding(FindingCodes.CommitSettings, what, whatToDo, severity, evidence) with
        {
            Values = new Dictionary<string, string> { [SettingValue] = setting, ["Source"] = CommitSettings.Source },
        };
}
