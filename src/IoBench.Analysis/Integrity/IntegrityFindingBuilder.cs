using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Creates the findings of an integrity check: of a test, after a crash, or in a drill.</summary>
internal sealed class IntegrityFindingBuilder(string? path, IoIntegrity integrity)
{
    public string Summary => integrity.Crash is { } crash ? DescribeCrash(crash) : DescribeTest();

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
                    Code = integrity.Crash switch
                    {
                        { IsEnded: true } => FindingCodes.IntegrityUnknown,
                        _ => FindingCodes.IntegrityKept,
                    },
                    Subject = name,
                    What = Summary,
                    Severity =
                        integrity.Crash is { IsEnded: true } or { PromisedCount: 0 } || integrity is { Crash: null, FinalPass: null }
                            ? FindingSeverity.Unknown
                            : FindingSeverity.Good,
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
                Severity = FindingSeverity.Bad,
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
            Severity = FindingSeverity.Unknown,
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
                $" The first: {error.Length:#,##0} bytes at offset {error.Offset:#,##0} of {error.Path}, {error.Time:HH:mm:ss}; expected {error.Expected}, found {error.Found}."
            )
            : "";
        return FormattableString.Invariant($"{path}: {count.Count:#,##0} {IntegrityMessages.GetKindName(count.Kind, count.Count)}.{first}");
    }

    private string DescribeTest()
    {
        var what = FormattableString.Invariant(
            $"{NumberFormat.PluralizeGrouped(integrity.ReadCount, "read")} ({new IoSize(integrity.ReadBytes).ToDisplayString()}) {SelectWasOrWere(integrity.ReadCount)} compared with what the file must hold, {NumberFormat.PluralizeGrouped(integrity.WriteCount, "write")} {SelectWasOrWere(integrity.WriteCount)} acknowledged"
        );
        var last = integrity.FinalPass is { } pass
            ? FormattableString.Invariant(
                $", and all {new IoSize(pass.ByteCount).ToDisplayString()} were read once more{(pass.IsUnbuffered ? "" : " (by the file cache: this file system has no other way)")}"
            )
            : "; the file was not read once more";
        return integrity.Outcome == IoIntegrityOutcome.NotVerified
            ? $"{IntegrityMessages.NotVerified}: {path}: {IntegrityMessages.DescribeUnverified(integrity)} {Capitalize(what)}{last}."
            : $"{path}: {what}{last}: {IntegrityMessages.Describe(integrity)}";
    }

    private static string Capitalize(string text) => char.ToUpperInvariant(text[0]) + text[1..];

    private string DescribeCrash(IoCrashCheck crash)
    {
        if (crash is { NotVerifiedReason: { } reason, PromisedCount: 0 })
            return $"{IntegrityMessages.NotVerified}: {path}: {reason}";
        var promise = FormattableString.Invariant(
            $"{path}: of {NumberFormat.PluralizeGrouped(crash.WriteCount, "acknowledged write")} {crash.PromisedCount:#,##0} {SelectWasOrWere(crash.PromisedCount)} promised to survive, since {crash.Promise}; {crash.CheckedCount:#,##0} of them {SelectWasOrWere(crash.CheckedCount)} not written over and {SelectWasOrWere(crash.CheckedCount)} looked for"
        );
        var order =
            crash.OutOfOrderCount == 0
                ? ""
                : FormattableString.Invariant(
                    $" {crash.OutOfOrderCount:#,##0} of them {(crash.OutOfOrderCount == 1 ? "is" : "are")} missing though writes acknowledged later are there."
                );
        if (crash.NotVerifiedReason is { } damage && integrity.ErrorCount == 0)
            return $"{IntegrityMessages.NotVerified}: {damage} {promise}: no errors in this part.";
        return $"{promise}: {IntegrityMessages.Describe(integrity)}{order}{(crash.NotVerifiedReason is { } unused ? " " + unused : "")}{(crash.IsEnded ? " The run had ended by itself: this says nothing of a power cut." : "")}";
    }

    private static string SelectWasOrWere(long count) => count == 1 ? "was" : "were";

    private static string GetAdvice(IoIntegrityErrorKind kind) =>
        kind switch
        {
            IoIntegrityErrorKind.LostWrite or IoIntegrityErrorKind.TornWrite =>
                "Keep databases off this storage; look for a write cache without protection (battery, capacitors) and ask the vendor of drive or controller for firmware",
            IoIntegrityErrorKind.StaleRead =>
                "Look for a cache that serves old data: a replica, a path of multipath, a caching driver or a hypervisor's cache",
            IoIntegrityErrorKind.MisdirectedWrite or IoIntegrityErrorKind.MisdirectedRead =>
                "Keep databases off this storage; ask the vendor of drive, controller or virtualization for firmware and address translation faults",
            IoIntegrityErrorKind.BitFlip =>
                "Test the memory of host and controller (ECC logs), cables and adapters; then replace the drive",
            IoIntegrityErrorKind.NotRead =>
                "Update drivers of adapter, multipath and file system: a read was called complete without its data",
            _ => "Keep databases off this storage; show the vendor the file, which was left as evidence",
        };
}
