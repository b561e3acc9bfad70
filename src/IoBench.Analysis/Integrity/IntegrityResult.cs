using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Result of the data integrity check of a test, after a crash, or in a drill.</summary>
public sealed record IntegrityResult(IoTestResult Run, IoIntegrity Integrity) : IHasFindings
{
    public static IReadOnlyList<IntegrityResult> Find(IReadOnlyList<IoTestResult> results) =>
        [.. results.Where(run => run.Integrity is not null).Select(run => new IntegrityResult(run, run.Integrity!))];

    /// <summary>Returns the checks that found errors or that could not verify all content.</summary>
    public static IReadOnlyList<IntegrityResult> FindProblems(IReadOnlyList<IoTestResult> results) =>
        [.. Find(results).Where(answer => answer.Integrity.Outcome != IoIntegrityOutcome.Verified)];

    /// <summary>Returns the checks that could not verify all content.</summary>
    public static IReadOnlyList<IntegrityResult> FindUnverified(IReadOnlyList<IoTestResult> results) =>
        [.. Find(results).Where(answer => answer.Integrity.Outcome == IoIntegrityOutcome.NotVerified)];

    /// <summary>Reads that were checked; after a crash, the writes that were looked for.</summary>
    public long CheckedCount => Integrity.Crash?.CheckedCount ?? Integrity.ReadCount;

    /// <summary>Errors of these kinds.</summary>
    public long CountErrors(params IoIntegrityErrorKind[] kinds) =>
        Integrity.ErrorsByKind.Where(count => kinds.Contains(count.Kind)).Sum(count => count.Count);

    /// <summary>Errors of all other kinds, and errors without a kind.</summary>
    public long OtherErrorCount =>
        Integrity.ErrorCount
        - CountErrors(
            IoIntegrityErrorKind.LostWrite,
            IoIntegrityErrorKind.TornWrite,
            IoIntegrityErrorKind.StaleRead,
            IoIntegrityErrorKind.MisdirectedWrite,
            IoIntegrityErrorKind.MisdirectedRead
        );

    public long MisplacedCount => CountErrors(IoIntegrityErrorKind.MisdirectedWrite, IoIntegrityErrorKind.MisdirectedRead);

    public IReadOnlyList<Finding> Findings => CreateFindings(TestIdentity.GetDisplayName(Run));

    private string? Path => Run.Path;

    /// <summary>A sentence that begins with the verdict.</summary>
    public string Summary => $"{Verdict}: {(Integrity.Crash is { } crash ? DescribeCrash(crash) : DescribeTest())}";

    /// <summary><c>PASS</c>, <c>FAIL</c>, <c>NOT VERIFIED</c>, or <c>NOT RATED</c> if the check did not finish.</summary>
    public string Verdict
    {
        get
        {
            if (Integrity.ErrorCount > 0)
                return VerdictWords.Describe(VerdictOutcome.Fail);
            if (Integrity.Outcome == IoIntegrityOutcome.NotVerified)
                return IntegrityMessages.NotVerified;
            return VerdictWords.Describe(IsFinished ? VerdictOutcome.Pass : VerdictOutcome.NotRated);
        }
    }

    /// <summary>Whether the final pass was done, or a crash happened and a write had to survive it.</summary>
    private bool IsFinished =>
        Integrity.Crash is { } crash ? crash is { IsEnded: false, PromisedCount: > 0 } : Integrity.FinalPass is not null;

    public IReadOnlyList<Finding> CreateFindings(string name)
    {
        if (Integrity.Outcome == IoIntegrityOutcome.NotVerified)
            return (Finding[])[CreateNotVerifiedFinding(name)];
        if (Integrity.ErrorCount == 0)
        {
            return
            [
                new Finding
                {
                    Code = Integrity.Crash is { IsEnded: true } ? FindingCodes.IntegrityNoCrash : FindingCodes.IntegrityVerified,
                    Subject = name,
                    What = Summary,
                    Outcome = IsFinished ? VerdictOutcome.Pass : VerdictOutcome.NotRated,
                    Evidence = CreateEvidence(),
                    Values = Finding.CreateValues(("Path", Path)),
                },
            ];
        }
        // An edited or shortened result can have errors without kinds.
        List<IoIntegrityCount> kinds =
            Integrity.ErrorsByKind.Count > 0
                ? Integrity.ErrorsByKind
                : [new IoIntegrityCount { Kind = IoIntegrityErrorKind.WrongContent, Count = Integrity.ErrorCount }];
        return
        [
            .. kinds.Select(count => new Finding
            {
                Code = FindingCodes.IntegrityPrefix + count.Kind,
                Subject = name,
                What = DescribeErrors(count),
                Severity = FindingSeverity.Critical,
                Outcome = VerdictOutcome.Fail,
                Evidence = [new("Errors", count.Count), .. CreateEvidence()],
                WhatToDo = GetAdvice(count.Kind),
                Values = Finding.CreateValues(
                    ("Path", Path),
                    ("Offset", FindFirstError(count.Kind)?.Offset.ToString(CultureInfo.InvariantCulture)),
                    ("Expected", FindFirstError(count.Kind)?.Expected),
                    ("Found", FindFirstError(count.Kind)?.Found)
                ),
            }),
        ];
    }

    private Finding CreateNotVerifiedFinding(string name) =>
        new()
        {
            Code = FindingCodes.IntegrityNotVerified,
            Subject = name,
            What = Summary,
            Severity = FindingSeverity.Warning,
            Outcome = VerdictOutcome.NotRated,
            Evidence = Integrity.Crash is null
                ?
                [
                    new("BytesVerified", Integrity.VerifiedBytes, "B"),
                    new("BytesNotVerified", Integrity.UnverifiedBytes, "B"),
                    .. CreateEvidence(),
                ]
                : CreateEvidence(),
            WhatToDo = Integrity.Crash is null ? null : "Use the original witness file, or repeat the test with a new witness",
            Values = Finding.CreateValues(
                ("Path", Path),
                ("Reason", string.Join(", ", Integrity.Unverified.Select(u => u.Reason).Distinct()))
            ),
        };

    private IReadOnlyList<FindingEvidence> CreateEvidence() =>
        Integrity.Crash is { } crash
            ?
            [
                new("WritesAcknowledged", crash.WriteCount),
                new("WritesPromised", crash.PromisedCount),
                new("WritesChecked", crash.CheckedCount),
                new("OutOfOrder", crash.OutOfOrderCount),
            ]
            :
            [
                new("ReadsChecked", Integrity.ReadCount),
                new("BytesChecked", Integrity.ReadBytes, "B"),
                new("WritesAcknowledged", Integrity.WriteCount),
            ];

    private IoIntegrityError? FindFirstError(IoIntegrityErrorKind kind) => Integrity.Errors.Find(e => e.Kind == kind);

    private string DescribeErrors(IoIntegrityCount count)
    {
        var first = FindFirstError(count.Kind) is { } error
            ? Invariant(
                $" First error: {error.Length:#,##0} bytes at offset {error.Offset:#,##0} of {error.Path}, {error.Time:HH:mm:ss}; expected {error.Expected}, found {error.Found}."
            )
            : "";
        return Invariant($"{Path}: {count.Count:#,##0} {IntegrityMessages.GetKindName(count.Kind, count.Count)}.{first}");
    }

    private string DescribeTest()
    {
        var reads = $"{NumberFormat.PluralizeGrouped(Integrity.ReadCount, "read")} ({IoSize.Format(Integrity.ReadBytes)})";
        var writes = $"{NumberFormat.PluralizeGrouped(Integrity.WriteCount, "write")} {SelectWasOrWere(Integrity.WriteCount)} acknowledged";
        var final = Integrity.FinalPass is { } pass
            ? $"all {IoSize.Format(pass.ByteCount)} were read again at the end of the test{(pass.IsUnbuffered ? "" : " (through the file cache)")}"
            : "the file was not read again at the end of the test";
        var work = $"{reads} {SelectWasOrWere(Integrity.ReadCount)} checked, {writes}, and {final}.";
        if (Integrity.ErrorCount > 0)
            return $"{Path}: {IntegrityMessages.Describe(Integrity)} {work}{DescribeEvidence()}";
        return Integrity.Outcome == IoIntegrityOutcome.NotVerified
            ? $"{Path}: {IntegrityMessages.DescribeUnverified(Integrity)} {work}"
            : $"{Path}: all reads returned the expected data. {work}";
    }

    private string DescribeEvidence() =>
        Integrity.Evidence.Count == 0 ? "" : $" Evidence (read-only): {string.Join(", ", Integrity.Evidence)}.";

    private string DescribeCrash(IoCrashCheck crash)
    {
        if (crash is { NotVerifiedReason: { } reason, PromisedCount: 0 })
            return $"{Path}: {reason}";
        var promise = Invariant(
            $"{Path}: {NumberFormat.PluralizeGrouped(crash.WriteCount, "acknowledged write")}. {crash.PromisedCount:#,##0} of them had to survive a power loss, because {crash.Promise}. IoBench checked {crash.CheckedCount:#,##0} of them, which {SelectWasOrWere(crash.CheckedCount)} not overwritten later"
        );
        var order =
            crash.OutOfOrderCount == 0
                ? ""
                : Invariant(
                    $" {crash.OutOfOrderCount:#,##0} of the checked writes {(crash.OutOfOrderCount == 1 ? "is" : "are")} missing, although later acknowledged writes are present."
                );
        if (crash.NotVerifiedReason is { } damage && Integrity.ErrorCount == 0)
            return $"{damage} {promise}: no errors in these writes.";
        return $"{promise}: {IntegrityMessages.Describe(Integrity)}{order}{(crash.NotVerifiedReason is { } unused ? " " + unused : "")}{(crash.IsEnded ? " The run had ended before the power loss, so this is not a test of a power loss." : "")}";
    }

    private static string SelectWasOrWere(long count) => count == 1 ? "was" : "were";

    private static string GetAdvice(IoIntegrityErrorKind kind) =>
        kind switch
        {
            IoIntegrityErrorKind.LostWrite or IoIntegrityErrorKind.TornWrite =>
                "Do not put databases on this storage. Check for a write cache without power-loss protection, and ask the vendor of the drive or controller for new firmware",
            IoIntegrityErrorKind.StaleRead =>
                "Find the component that returns old data: a storage replica, one of several paths (multipath), a caching driver, or the cache of the hypervisor",
            IoIntegrityErrorKind.MisdirectedWrite or IoIntegrityErrorKind.MisdirectedRead =>
                "Do not put databases on this storage. Ask the vendor of the drive, controller, or hypervisor about firmware and address translation errors",
            IoIntegrityErrorKind.BitFlip =>
                "Test the memory of the host and the controller (ECC logs), the cables, and the adapters. Then replace the drive",
            IoIntegrityErrorKind.NotRead =>
                "Update the drivers of the adapter, multipath, and the file system. A read was reported as complete, but did not return all its data",
            _ => "Do not put databases on this storage. IoBench did not delete the test file. Show the file to the vendor",
        };

    /// <summary>Columns of the table that integrity commands show for their tests. Widths are in characters.</summary>
    public static IReadOnlyList<(string Header, int Width, bool IsNumber, Func<IntegrityResult, string> Format)> Columns { get; } =
    [
        ("Verdict", 12, false, result => result.Verdict),
        CreateCountColumn("Reads checked", 13, result => result.CheckedCount),
        CreateCountColumn("Errors", 6, result => result.Integrity.ErrorCount),
        CreateCountColumn("Lost", 5, result => result.CountErrors(IoIntegrityErrorKind.LostWrite)),
        CreateCountColumn("Torn", 5, result => result.CountErrors(IoIntegrityErrorKind.TornWrite)),
        CreateCountColumn("Stale", 5, result => result.CountErrors(IoIntegrityErrorKind.StaleRead)),
        CreateCountColumn("Misplaced", 9, result => result.MisplacedCount),
        CreateCountColumn("Other", 5, result => result.OtherErrorCount),
    ];

    /// <summary>Formats a value; the verdict is NOT RATED and the other values are empty if the test ended before the check.</summary>
    public static string Format(string header, IoTestResult result)
    {
        if (result.Integrity is { } integrity)
            return Columns.First(column => column.Header == header).Format(new IntegrityResult(result, integrity));
        return header == Columns[0].Header ? VerdictWords.Describe(VerdictOutcome.NotRated) : "";
    }

    /// <summary>Returns the files that are kept as evidence, or why the run did not finish; empty otherwise.</summary>
    public static string DescribeEvidence(IoTestResult result)
    {
        if (result.Integrity is { Evidence.Count: > 0 } integrity)
            return $"{string.Join(", ", integrity.Evidence)} (read-only)";
        return result.Status == IoResultStatus.Complete ? "" : RuleEvaluator.DescribeStatus(result.Status);
    }

    private static (string Header, int Width, bool IsNumber, Func<IntegrityResult, string> Format) CreateCountColumn(
        string header,
        int width,
        Func<IntegrityResult, long> count
    ) => (header, width, true, result => count(result).ToString("#,##0", CultureInfo.InvariantCulture));
}
