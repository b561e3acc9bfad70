using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>The slowest I/O of a test, if it took noticeably long.</summary>
public sealed record SlowestIO(IoTestResult Run, IoSlowIO IO) : IHasFindings
{
    private const double NoticedMs = 500;

    public static IReadOnlyList<SlowestIO> Find(IReadOnlyList<IoTestResult> results)
    {
        return
        [
            .. results
                .Where(run => run.HasSlowIOs() && run.SlowestIOs.Count > 0 && run.SlowestIOs[0].LatencyMs >= NoticedMs)
                .Select(run => new SlowestIO(run, run.SlowestIOs[0])),
        ];
    }

    private bool CanBeHost => CpuWait.CanExplainStall(Run, IO.LatencyMs / 1000);

    public IReadOnlyList<Finding> Findings => (Finding[])[CreateFinding(TestIdentity.GetDisplayName(Run))];

    public Finding CreateFinding(string name) =>
        new()
        {
            Code = FindingCodes.StallSlowestIO,
            Subject = name,
            What = Invariant(
                $"{name}: the slowest I/O, a {IO}, began {IO.Seconds:0.###} s into the measurement with {NumberFormat.Pluralize(IO.InFlight, "other outstanding I/O")}{(IO.IsLost == true ? " and did not complete" : "")}.{(CanBeHost ? CpuWait.Describe(Run.ProcessorWaitPercent) : "")}"
            ),
            Severity = IO.LatencyMs >= DrillResult.ReportedSeconds * 1000 && !CanBeHost ? FindingSeverity.Critical : FindingSeverity.Info,
            Evidence =
            [
                new("LatencyMs", IO.LatencyMs, "ms"),
                new("Seconds", IO.Seconds, "s"),
                new("Offset", IO.Offset, "bytes"),
                new("InFlight", IO.InFlight),
            ],
            WhatToDo =
                IO.LatencyMs < DrillResult.ReportedSeconds * 1000
                    ? null
                    : "Check what the storage did at that time. SQL Server reports such an I/O as error 833",
            Values = Finding.CreateValues(("path", IO.Target < Run.Targets.Count ? Run.Targets[IO.Target].Path : Run.Path)),
        };
}
