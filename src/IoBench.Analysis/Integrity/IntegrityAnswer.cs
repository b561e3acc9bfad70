using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Whether the storage kept what it acknowledged, in a checked test or after a crash.</summary>
/// <param name="Run">The result.</param>
/// <param name="Integrity">What was found.</param>
public sealed record IntegrityAnswer(IoTestResult Run, IoIntegrity Integrity) : IHasFindings
{
    /// <summary>The results that were checked, in their order.</summary>
    public static IReadOnlyList<IntegrityAnswer> Find(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        return [.. results.Where(run => run.Integrity is not null).Select(run => new IntegrityAnswer(run, run.Integrity!))];
    }

    /// <summary>All in a sentence.</summary>
    public string Summary => Integrity.Crash is { } crash ? AfterCrash(crash) : AfterTest();

    /// <inheritdoc/>
    public IReadOnlyList<Finding> Findings => FindingsFor(Run.Workload ?? Run.IOPattern ?? Run.Label ?? "run");

    /// <summary>The findings about a run of this name.</summary>
    public IReadOnlyList<Finding> FindingsFor(string name)
    {
        if (Integrity.ErrorCount == 0)
        {
            return [new Finding
            {
                Code = Integrity.Crash is { IsEnded: true } ? FindingCodes.IntegrityUnknown : FindingCodes.IntegrityKept,
                Subject = name,
                What = Summary,
                Severity = Integrity.Crash is { IsEnded: true } or { PromisedCount: 0 } || Integrity is { Crash: null, FinalPass: null } ? FindingSeverity.Unknown : FindingSeverity.Good,
                Evidence = Figures(),
                Values = Finding.ValuesOf(("Path", Run.Path)),
            }];
        }
        return [.. Integrity.ErrorsByKind.Select(count => new Finding
        {
            Code = FindingCodes.IntegrityPrefix + count.Kind,
            Subject = name,
            What = Say(count),
            Severity = FindingSeverity.Bad,
            Evidence = [new("Errors", count.Count), .. Figures()],
            WhatToDo = WhatToDo(count.Kind),
            Values = Finding.ValuesOf(("Path", Run.Path), ("Offset", FirstOf(count.Kind)?.Offset.ToString(CultureInfo.InvariantCulture)), ("Expected", FirstOf(count.Kind)?.Expected), ("Found", FirstOf(count.Kind)?.Found)),
        })];
    }

    private IReadOnlyList<FindingFigure> Figures() => Integrity.Crash is { } crash
        ? [new("WritesAcknowledged", crash.WriteCount), new("WritesPromised", crash.PromisedCount), new("WritesChecked", crash.CheckedCount), new("OutOfOrder", crash.OutOfOrderCount)]
        : [new("ReadsChecked", Integrity.ReadCount), new("BytesChecked", Integrity.ReadBytes, "B"), new("WritesAcknowledged", Integrity.WriteCount)];

    private IoIntegrityError? FirstOf(IoIntegrityErrorKind kind) => Integrity.Errors.Find(e => e.Kind == kind);

    private string Say(IoIntegrityCount count)
    {
        var first = FirstOf(count.Kind) is { } error
            ? FormattableString.Invariant($" The first: {error.Length:#,##0} bytes at offset {error.Offset:#,##0} of {error.Path}, {error.Time:HH:mm:ss}; expected {error.Expected}, found {error.Found}.") : "";
        return FormattableString.Invariant($"{Run.Path}: {count.Count:#,##0} {IntegrityText.Name(count.Kind, count.Count)}.{first}");
    }

    private string AfterTest()
    {
        var what = FormattableString.Invariant($"{Integrity.ReadCount:#,##0} reads ({new IoSize(Integrity.ReadBytes).ToDisplayString()}) were compared with what the file must hold, {Integrity.WriteCount:#,##0} writes were acknowledged");
        var last = Integrity.FinalPass is { } pass
            ? FormattableString.Invariant($", and all {new IoSize(pass.ByteCount).ToDisplayString()} were read once more{(pass.IsUnbuffered ? "" : " (by the file cache: this file system has no other way)")}") : "; the file was not read once more";
        return $"{Run.Path}: {what}{last}: {IntegrityText.Of(Integrity)}";
    }

    private string AfterCrash(IoCrashCheck crash)
    {
        var promise = FormattableString.Invariant($"{Run.Path}: of {crash.WriteCount:#,##0} acknowledged writes {crash.PromisedCount:#,##0} were promised to survive, since {crash.Promise}; {crash.CheckedCount:#,##0} of them were not written over and were looked for");
        var order = crash.OutOfOrderCount == 0 ? "" : FormattableString.Invariant($" {crash.OutOfOrderCount:#,##0} of them are missing though writes acknowledged later are there.");
        return $"{promise}: {IntegrityText.Of(Integrity)}{order}{(crash.IsEnded ? " The run had ended by itself: this says nothing of a power cut." : "")}";
    }

    private static string WhatToDo(IoIntegrityErrorKind kind) => kind switch
    {
        IoIntegrityErrorKind.LostWrite or IoIntegrityErrorKind.TornWrite => "Keep databases off this storage; look for a write cache without protection (battery, capacitors) and ask the vendor of drive or controller for firmware",
        IoIntegrityErrorKind.StaleRead => "Look for a cache that serves old data: a replica, a path of multipath, a caching driver or a hypervisor's cache",
        IoIntegrityErrorKind.MisdirectedWrite or IoIntegrityErrorKind.MisdirectedRead => "Keep databases off this storage; ask the vendor of drive, controller or virtualization for firmware and address translation faults",
        IoIntegrityErrorKind.BitFlip => "Test the memory of host and controller (ECC logs), cables and adapters; then replace the drive",
        IoIntegrityErrorKind.NotRead => "Update drivers of adapter, multipath and file system: a read was called complete without its data",
        _ => "Keep databases off this storage; show the vendor the file, which was left as evidence",
    };
}
