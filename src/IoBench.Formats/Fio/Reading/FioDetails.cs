using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioDetails
{
    internal static void Set(IoTestResult result, FioJob job)
    {
        var details = result.ToolDetails;
        Add(details, "job options", job.Options is null || job.Announced ? null : job.Options.CommandLine);
        Add(details, "desc", job.Description);
        Add(details, "groupid", job.Group);
        Add(details, "time", job.TimeText);
        Add(details, "elapsed", job.ElapsedSeconds);
        Add(details, "job_runtime", job.JobRuntimeMs);
        Add(details, "usr_cpu", job.UserCpu);
        Add(details, "sys_cpu", job.SystemCpu);
        Add(details, "ctx", job.ContextSwitches);
        Add(details, "majf", job.MajorFaults);
        Add(details, "minf", job.MinorFaults);
        AddDirection(details, s_read, job.Read);
        AddDirection(details, s_write, job.Write);
        AddDirection(details, s_mixed, job.Mixed);
        if (job.Trim is { IOs: > 0 } or { Bytes: > 0 })
            AddTrim(details, job.Trim);
        if (job.SyncCount > 0)
            Add(details, "sync total_ios", job.SyncCount);
        if (job.SyncLatency is { IsMeasured: true } sync)
        {
            Add(details, "sync mean (ms)", sync.MeanMs);
            Add(details, "sync max (ms)", sync.MaxMs);
        }
        if (job.Error != 0)
            Add(details, "error", job.Error);
        Add(details, "total_err", job.FailedIOs);
        Add(details, "first_error", job.FirstError);
        if (((FioDirection?[])[job.Read, job.Write, job.Mixed]).Any(d => FioLatencies.Average(d) is not null))
            details["latency of"] = ((FioDirection?[])[job.Read, job.Write, job.Mixed]).Any(d => d is { Total.IsMeasured: true })
                ? "lat"
                : "clat";
    }

    private static void Add(Dictionary<string, string> details, string name, Detail value)
    {
        if (value.Text is { Length: > 0 } text)
            details[name] = text;
    }

    private static void AddDirection(Dictionary<string, string> details, DirectionNames names, FioDirection? direction)
    {
        if (direction is null)
            return;
        AddLatency(details, names.Submission, direction.Submission);
        AddLatency(details, names.Completion, direction.Completion);
        if (direction.ShortIOs > 0)
            Add(details, names.ShortIOs, direction.ShortIOs);
        if (direction.DroppedIOs > 0)
            Add(details, names.DroppedIOs, direction.DroppedIOs);
    }

    private static void AddLatency(Dictionary<string, string> details, LatencyNames names, FioLatency latency)
    {
        Add(details, names.Mean, latency.MeanMs);
        Add(details, names.Min, latency.MinMs);
        Add(details, names.Max, latency.MaxMs);
        Add(details, names.Deviation, latency.DeviationMs);
    }

    private static void AddTrim(Dictionary<string, string> details, FioDirection trim)
    {
        Add(details, "trim total_ios", trim.IOs);
        Add(details, "trim io_bytes", trim.Bytes);
        Add(details, "trim iops", trim.Iops);
        Add(details, "trim mean (ms)", FioLatencies.Average(trim)?.MeanMs);
    }

    // Create the names once: a log can have many thousands of jobs.
    private static readonly DirectionNames s_read = new("read");
    private static readonly DirectionNames s_write = new("write");
    private static readonly DirectionNames s_mixed = new("mixed");

    private sealed class DirectionNames(string name)
    {
        internal LatencyNames Submission { get; } = new(name + " slat");
        internal LatencyNames Completion { get; } = new(name + " clat");
        internal string ShortIOs { get; } = name + " short_ios";
        internal string DroppedIOs { get; } = name + " drop_ios";
    }

    private sealed class LatencyNames(string name)
    {
        internal string Mean { get; } = name + " mean (ms)";
        internal string Min { get; } = name + " min (ms)";
        internal string Max { get; } = name + " max (ms)";
        internal string Deviation { get; } = name + " stddev (ms)";
    }

    private readonly record struct Detail(string? Text)
    {
        public static implicit operator Detail(string? text) => new(text);

        public static implicit operator Detail(double? number) => new(number?.ToString("0.######", CultureInfo.InvariantCulture));

        public static implicit operator Detail(long? number) => new(number?.ToString(CultureInfo.InvariantCulture));

        public static implicit operator Detail(int? number) => new(number?.ToString(CultureInfo.InvariantCulture));

        public static implicit operator Detail(int number) => new(number.ToString(CultureInfo.InvariantCulture));
    }
}
