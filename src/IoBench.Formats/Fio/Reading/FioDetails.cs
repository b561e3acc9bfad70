using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>What fio says that has no property of its own, by fio's names.</summary>
internal static class FioDetails
{
    internal static void Set(IoTestResult result, FioJob job)
    {
        var details = result.ToolDetails;
        Add("job options", job.Options is null || job.Announced ? null : job.Options.CommandLine);
        Add("desc", job.Description);
        Add("groupid", job.Group);
        Add("time", job.TimeText);
        Add("elapsed", job.ElapsedSeconds);
        Add("job_runtime", job.JobRuntimeMs);
        Add("usr_cpu", job.UserCpu);
        Add("sys_cpu", job.SystemCpu);
        Add("ctx", job.ContextSwitches);
        Add("majf", job.MajorFaults);
        Add("minf", job.MinorFaults);
        AddDirection("read", job.Read);
        AddDirection("write", job.Write);
        AddDirection("mixed", job.Mixed);
        if (job.Trim is { IOs: > 0 } or { Bytes: > 0 })
            AddTrim(job.Trim);
        if (job.SyncCount > 0)
            Add("sync total_ios", job.SyncCount);
        if (job.SyncLatency is { IsMeasured: true } sync)
        {
            Add("sync mean (ms)", sync.MeanMs);
            Add("sync max (ms)", sync.MaxMs);
        }
        if (job.Error != 0)
            Add("error", job.Error);
        Add("total_err", job.FailedIOs);
        Add("first_error", job.FirstError);
        if (((FioDirection?[])[job.Read, job.Write, job.Mixed]).Any(d => FioLatencies.Average(d) is not null))
            details["latency of"] = ((FioDirection?[])[job.Read, job.Write, job.Mixed]).Any(d => d is { Total.IsMeasured: true }) ? "lat" : "clat";

        void Add(string name, Detail value)
        {
            if (value.Text is { Length: > 0 } text)
                details[name] = text;
        }

        void AddDirection(string name, FioDirection? direction)
        {
            if (direction is null)
                return;
            AddLatency(name + " slat", direction.Submission);
            AddLatency(name + " clat", direction.Completion);
            if (direction.ShortIOs > 0)
                Add(name + " short_ios", direction.ShortIOs);
            if (direction.DroppedIOs > 0)
                Add(name + " drop_ios", direction.DroppedIOs);
        }

        void AddLatency(string name, FioLatency latency)
        {
            Add(name + " mean (ms)", latency.MeanMs);
            Add(name + " min (ms)", latency.MinMs);
            Add(name + " max (ms)", latency.MaxMs);
            Add(name + " stddev (ms)", latency.DeviationMs);
        }

        void AddTrim(FioDirection trim)
        {
            Add("trim total_ios", trim.IOs);
            Add("trim io_bytes", trim.Bytes);
            Add("trim iops", trim.Iops);
            Add("trim mean (ms)", FioLatencies.Average(trim)?.MeanMs);
        }
    }

    /// <summary>A detail's text, in numbers without a culture.</summary>
    private readonly record struct Detail(string? Text)
    {
        public static implicit operator Detail(string? text) => new(text);
        public static implicit operator Detail(double? number) => new(number?.ToString("0.######", CultureInfo.InvariantCulture));
        public static implicit operator Detail(long? number) => new(number?.ToString(CultureInfo.InvariantCulture));
        public static implicit operator Detail(int? number) => new(number?.ToString(CultureInfo.InvariantCulture));
        public static implicit operator Detail(int number) => new(number.ToString(CultureInfo.InvariantCulture));
    }
}
