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
        AddDirection(s_read, job.Read);
        AddDirection(s_write, job.Write);
        AddDirection(s_mixed, job.Mixed);
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

        void AddDirection(DirectionNames names, FioDirection? direction)
        {
            if (direction is null)
                return;
            AddLatency(names.Submission, direction.Submission);
            AddLatency(names.Completion, direction.Completion);
            if (direction.ShortIOs > 0)
                Add(names.ShortIOs, direction.ShortIOs);
            if (direction.DroppedIOs > 0)
                Add(names.DroppedIOs, direction.DroppedIOs);
        }

        void AddLatency(LatencyNames names, FioLatency latency)
        {
            Add(names.Mean, latency.MeanMs);
            Add(names.Min, latency.MinMs);
            Add(names.Max, latency.MaxMs);
            Add(names.Deviation, latency.DeviationMs);
        }

        void AddTrim(FioDirection trim)
        {
            Add("trim total_ios", trim.IOs);
            Add("trim io_bytes", trim.Bytes);
            Add("trim iops", trim.Iops);
            Add("trim mean (ms)", FioLatencies.Average(trim)?.MeanMs);
        }
    }

    // Made once: a log holds many thousands of jobs.
    private static readonly DirectionNames s_read = new("read");
    private static readonly DirectionNames s_write = new("write");
    private static readonly DirectionNames s_mixed = new("mixed");

    /// <summary>Names of what one direction's details are called.</summary>
    private sealed class DirectionNames(string name)
    {
        internal LatencyNames Submission { get; } = new(name + " slat");
        internal LatencyNames Completion { get; } = new(name + " clat");
        internal string ShortIOs { get; } = name + " short_ios";
        internal string DroppedIOs { get; } = name + " drop_ios";
    }

    /// <summary>Names of a latency's details.</summary>
    private sealed class LatencyNames(string name)
    {
        internal string Mean { get; } = name + " mean (ms)";
        internal string Min { get; } = name + " min (ms)";
        internal string Max { get; } = name + " max (ms)";
        internal string Deviation { get; } = name + " stddev (ms)";
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
