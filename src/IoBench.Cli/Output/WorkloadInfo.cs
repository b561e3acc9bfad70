using IoBench.Workloads;

namespace IoBench.Cli;

internal sealed record WorkloadInfo(
    string Name,
    string Kind,
    string Pattern,
    int? ThreadCount,
    int? OutstandingIO,
    string? Buffering,
    double? TargetIops,
    double DurationSeconds,
    string Role,
    string Reason,
    string? Confidence,
    IReadOnlyList<WorkloadSource> Sources,
    bool Historic,
    IReadOnlyList<string> Members,
    IReadOnlyList<string> Suites
)
{
    public static WorkloadInfo FromWorkload(IoWorkload workload)
    {
        var tests = workload.CreateSpecifications();
        return new WorkloadInfo(
            Name: workload.Name,
            Kind: workload.Kind.ToString(),
            Pattern: workload.Pattern,
            ThreadCount: workload.ThreadCount,
            OutstandingIO: workload.OutstandingIO,
            Buffering: workload.Buffering?.ToString(),
            TargetIops: tests.Count == 1 ? tests[0].TargetIops : null,
            DurationSeconds: workload.Duration.TotalSeconds,
            Role: workload.Role,
            Reason: workload.Reason,
            Confidence: workload.Confidence?.ToString(),
            Sources: workload.Sources,
            Historic: workload.IsHistoric,
            Members: workload.Members,
            Suites: workload.Suites
        );
    }
}
