using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Creates the findings of an integrity check: of a test, after a crash, or in a drill.</summary>
internal sealed class IntegrityFindingBuilder(string? path, IoIntegrity integrity)
{
    /// <summary>A sentence that begins with the verdict.</summary>
    public string Summary => $"{Verdict}: {(integrity.Crash is { } crash ? DescribeCrash(crash) : DescribeTest())}";

    /// <summary><c>PASS</c>, <c>FAIL</c>, <c>NOT VERIFIED</c>, or <c>NOT RATED</c> if the check did not finish.</summary>
    public string Verdict
    {
        get
        {
            if (integrity.ErrorCount > 0)
                return VerdictWords.Describe(VerdictOutcome.Fail);
            if (integrity.Outcome == IoIntegrityOutcome.NotVerified)
                return IntegrityMessages.NotVerified;
            return VerdictWords.Describe(IsFinished ? VerdictOutcome.Pass : VerdictOutcome.NotRated);
        }
    }

    /// <summary>Whether the final pass was done, or a crash happened and a write had to survive it.</summary>
    private bool IsFinished =>
        integrity.Crash is { } crash ? crash is { IsEnded: false, PromisedCount: > 0 } : integrity.FinalPass is not null;

    public IReadOnlyList<Finding> CreateFindings(string name)
    {
        if (integrity.Outcome == IoIntegrityOutcome.NotVerified)
            return (Finding[])[CreateNotVerifiedFinding(name)];
        if (integrity.ErrorCount == 0)
        {
            return
            [
                new Finding
                {
                    Code = integrity.Crash is { IsEnded: true } ? FindingCodes.IntegrityNoCrash : FindingCodes.IntegrityVerified,
                    Subject = name,
                    What = Summary,
                    Severity = FindingSeverity.Info,
                    Outcome = IsFinished ? VerdictOutcome.Pass : VerdictOutcome.NotRated,
                    Evidence = CreateEvidence(),
                    Values = Finding.CreateValues(("Path", path)),
                },
            ];
        }
        // An edited or shortened result can have errors without kinds.
        List<IoIntegrityCount> kinds =
            integrity.ErrorsByKind.Count > 0
                ? integrity.ErrorsByKind
                : [new IoIntegrityCount { Kind = IoIntegrityErrorKind.WrongContent, Count = integrity.ErrorCount }];
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
                    ("Path", path),
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
            Evidence = integrity.Crash is null
                ?
                [
                    new("BytesVerified", integrity.VerifiedBytes, "B"),
                    new("BytesNotVerified", integrity.UnverifiedBytes, "B"),
                    .. CreateEvidence(),
                ]
                : CreateEvidence(),
            WhatToDo = integrity.Crash is null ? null : "Use the original file of the witness, or repeat the test with a new witness",
            Values = Finding.CreateValues(
                ("Path", path),
                ("Reason", string.Join(", ", integrity.Unverified.Select(u => u.Reason).Distinct()))
            ),
        };

    private IReadOnlyList<FindingEvidence> CreateEvidence() =>
        integrity.Crash is { } crash
            ?
            [
                new("WritesAcknowledged", crash.WriteCount),
                new("WritesPromised", crash.PromisedCount),
                new("WritesChecked", crash.CheckedCount),
                new("OutOfOrder", crash.OutOfOrderCount),
            ]
            :
            [
                new("ReadsChecked", integrity.ReadCount),
                new("BytesChecked", integrity.ReadBytes, "B"),
                new("WritesAcknowledged", integrity.WriteCount),
            ];

    private IoIntegrityError? FindFirstError(IoIntegrityErrorKind kind) => integrity.Errors.Find(e => e.Kind == kind);

    private string DescribeErrors(IoIntegrityCount count)
    {
        var first = FindFirstError(count.Kind) is { } error
            ? FormattableString.Invariant(
                $" First error: {error.Length:#,##0} bytes at offset {error.Offset:#,##0} of {error.Path}, {error.Time:HH:mm:ss}; expected {error.Expected}, found {error.Found}."
            )
            : "";
        return FormattableString.Invariant($"{path}: {count.Count:#,##0} {IntegrityMessages.GetKindName(count.Kind, count.Count)}.{first}");
    }

    private string DescribeTest()
    {
        var reads = $"{NumberFormat.PluralizeGrouped(integrity.ReadCount, "read")} ({new IoSize(integrity.ReadBytes).ToDisplayString()})";
        var writes = $"{NumberFormat.PluralizeGrouped(integrity.WriteCount, "write")} {SelectWasOrWere(integrity.WriteCount)} acknowledged";
        var final = integrity.FinalPass is { } pass
            ? $"all {new IoSize(pass.ByteCount).ToDisplayString()} were read again at the end{(pass.IsUnbuffered ? "" : " (through the file cache)")}"
            : "the file was not read again at the end";
        var work = $"{reads} {SelectWasOrWere(integrity.ReadCount)} checked, {writes}, and {final}.";
        if (integrity.ErrorCount > 0)
            return $"{path}: {IntegrityMessages.Describe(integrity)} {work}{DescribeEvidence()}";
        return integrity.Outcome == IoIntegrityOutcome.NotVerified
            ? $"{path}: {IntegrityMessages.DescribeUnverified(integrity)} {work}"
            : $"{path}: all reads returned the expected data. {work}";
    }

    private string DescribeEvidence() =>
        integrity.Evidence.Count == 0 ? "" : $" Evidence (read-only): {string.Join(", ", integrity.Evidence)}.";

    private string DescribeCrash(IoCrashCheck crash)
    {
        if (crash is { NotVerifiedReason: { } reason, PromisedCount: 0 })
            return $"{path}: {reason}";
        var promise = FormattableString.Invariant(
            $"{path}: {NumberFormat.PluralizeGrouped(crash.WriteCount, "acknowledged write")}. {crash.PromisedCount:#,##0} had to survive, because {crash.Promise}. {crash.CheckedCount:#,##0} of them {SelectWasOrWere(crash.CheckedCount)} not overwritten later and {SelectWasOrWere(crash.CheckedCount)} checked"
        );
        var order =
            crash.OutOfOrderCount == 0
                ? ""
                : FormattableString.Invariant(
                    $" {crash.OutOfOrderCount:#,##0} of them {(crash.OutOfOrderCount == 1 ? "is" : "are")} missing, although later acknowledged writes exist."
                );
        if (crash.NotVerifiedReason is { } damage && integrity.ErrorCount == 0)
            return $"{damage} {promise}: no errors in this part.";
        return $"{promise}: {IntegrityMessages.Describe(integrity)}{order}{(crash.NotVerifiedReason is { } unused ? " " + unused : "")}{(crash.IsEnded ? " The run had ended before the power loss, so this is not a test of a power loss." : "")}";
    }

    private static string SelectWasOrWere(long count) => count == 1 ? "was" : "were";

    private static string GetAdvice(IoIntegrityErrorKind kind) =>
        kind switch
        {
            IoIntegrityErrorKind.LostWrite or IoIntegrityErrorKind.TornWrite =>
                "Do not put databases on this storage. Check for a write cache without power-loss protection, and ask the vendor of the drive or controller for new firmware",
            IoIntegrityErrorKind.StaleRead =>
                "Find what returns old data: a storage replica, one of several paths (multipath), a caching driver, or the cache of the hypervisor",
            IoIntegrityErrorKind.MisdirectedWrite or IoIntegrityErrorKind.MisdirectedRead =>
                "Do not put databases on this storage. Ask the vendor of the drive, controller, or virtualization about firmware and address translation errors",
            IoIntegrityErrorKind.BitFlip =>
                "Test the memory of the host and the controller (ECC logs), the cables, and the adapters. Then replace the drive",
            IoIntegrityErrorKind.NotRead =>
                "Update the drivers of the adapter, multipath, and the file system. A read was reported as complete without its data",
            _ => "Do not put databases on this storage. IoBench did not delete the test file. Show the file to the vendor",
        };
}
