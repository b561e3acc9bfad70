using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioToolDetails
{
    internal static void SetDetails(IoTestResult result, FioJob job)
    {
        var details = result.ToolDetails;
        AddDetail(details, "job options", job.Options is null || job.HasOnlyAnnouncedOptions ? null : job.Options.CommandLine);
        AddDetail(details, "desc", job.Description);
        AddDetail(details, "groupid", job.Group);
        AddDetail(details, "time", job.TimeText);
        AddDetail(details, "elapsed", job.ElapsedSeconds);
        AddDetail(details, "job_runtime", job.JobRuntimeMs);
        AddDetail(details, "usr_cpu", job.UserCpu);
        AddDetail(details, "sys_cpu", job.SystemCpu);
        AddDetail(details, "ctx", job.ContextSwitches);
        AddDetail(details, "majf", job.MajorFaults);
        AddDetail(details, "minf", job.MinorFaults);
        AddDirection(details, s_read, job.Read);
        AddDirection(details, s_write, job.Write);
        AddDirection(details, s_mixed, job.Mixed);
        if (job.Verification is { } verification)
            AddVerification(details, verification);
        if (job.Trim is { IOs: > 0 } or { Bytes: > 0 })
            AddTrim(details, job.Trim);
        if (job.SyncCount > 0)
            AddDetail(details, "sync total_ios", job.SyncCount);
        if (job.SyncLatency is { IsMeasured: true } sync)
        {
            AddDetail(details, "sync mean (ms)", sync.MeanMs);
            AddDetail(details, "sync max (ms)", sync.MaxMs);
        }
        if (job.Error != 0)
            AddDetail(details, "error", job.Error);
        AddDetail(details, "total_err", job.FailedIOs);
        AddDetail(details, "first_error", job.FirstError);
        if (((FioDirection?[])[job.Read, job.Write, job.Mixed]).Any(d => FioLatencyMapper.SelectLatency(d) is not null))
            details["latency of"] = ((FioDirection?[])[job.Read, job.Write, job.Mixed]).Any(d => d is { Total.IsMeasured: true })
                ? "lat"
                : "clat";
    }

    private static void AddDetail(Dictionary<string, string> details, string name, string? text)
    {
        if (!string.IsNullOrEmpty(text))
            details[name] = text;
    }

    private static void AddDetail(Dictionary<string, string> details, string name, double? number) =>
        AddDetail(details, name, number?.ToString("0.######", CultureInfo.InvariantCulture));

    private static void AddDetail(Dictionary<string, string> details, string name, long? number) =>
        AddDetail(details, name, number?.ToString(CultureInfo.InvariantCulture));

    private static void AddDirection(Dictionary<string, string> details, DirectionDetailNames names, FioDirection? direction)
    {
        if (direction is null)
            return;
        AddLatency(details, names.Submission, direction.Submission);
        AddLatency(details, names.Completion, direction.Completion);
        if (direction.ShortIOs > 0)
            AddDetail(details, names.ShortIOs, direction.ShortIOs);
        if (direction.DroppedIOs > 0)
            AddDetail(details, names.DroppedIOs, direction.DroppedIOs);
    }

    private static void AddLatency(Dictionary<string, string> details, string[] names, FioLatency latency)
    {
        AddDetail(details, names[0], latency.MeanMs);
        AddDetail(details, names[1], latency.MinMs);
        AddDetail(details, names[2], latency.MaxMs);
        AddDetail(details, names[3], latency.DeviationMs);
    }

    private static void AddTrim(Dictionary<string, string> details, FioDirection trim)
    {
        AddDetail(details, "trim total_ios", trim.IOs);
        AddDetail(details, "trim io_bytes", trim.Bytes);
        AddDetail(details, "trim iops", trim.Iops);
        AddDetail(details, "trim mean (ms)", FioLatencyMapper.SelectLatency(trim)?.MeanMs);
    }

    private static void AddVerification(Dictionary<string, string> details, FioDirection verification)
    {
        AddDetail(details, "verify total_ios", verification.IOs);
        AddDetail(details, "verify iops", verification.Iops);
        AddDetail(details, "verify runtime (ms)", verification.RuntimeMs);
        AddDetail(details, "verify mean (ms)", FioLatencyMapper.SelectLatency(verification)?.MeanMs);
    }

    // Create the names once: a log can have many thousands of jobs.
    private static readonly DirectionDetailNames s_read = new("read");
    private static readonly DirectionDetailNames s_write = new("write");
    private static readonly DirectionDetailNames s_mixed = new("mixed");

    private sealed class DirectionDetailNames(string name)
    {
        internal string[] Submission { get; } = CreateLatencyNames(name + " slat");
        internal string[] Completion { get; } = CreateLatencyNames(name + " clat");
        internal string ShortIOs { get; } = name + " short_ios";
        internal string DroppedIOs { get; } = name + " drop_ios";

        private static string[] CreateLatencyNames(string name) =>
            [name + " mean (ms)", name + " min (ms)", name + " max (ms)", name + " stddev (ms)"];
    }
}
