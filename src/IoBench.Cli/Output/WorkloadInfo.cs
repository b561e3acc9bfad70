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
            workload.Name,
            workload.Kind.ToString(),
            workload.Pattern,
            workload.ThreadCount,
            workload.OutstandingIO,
            workload.Buffering?.ToString(),
            tests.Count == 1 ? tests[0].TargetIops : null,
            workload.Duration.TotalSeconds,
            workload.Role,
            workload.Reason,
            workload.Confidence?.ToString(),
            workload.Sources,
            workload.IsHistoric,
            workload.Members,
            workload.Suites
        );
    }
}
