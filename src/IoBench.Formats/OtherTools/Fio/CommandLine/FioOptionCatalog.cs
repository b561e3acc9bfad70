using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Formats;

internal static partial class FioOptionCatalog
{
    [GeneratedRegex(@"\$\{(\w+)\}")]
    private static partial Regex GetVariableRegex();

    /// <summary>Sets an option under its canonical name. Of two options that contradict each other, the later one applies.</summary>
    internal static void SetOption(FioOptions options, string name, string value)
    {
        name = name.Trim().ToLowerInvariant();
        name = s_aliases.GetValueOrDefault(name, name);
        if (name == "rwmixread")
            options.Remove("rwmixwrite");
        else if (name == "rwmixwrite")
            options.Remove("rwmixread");
        if (name == "buffered")
        {
            name = "direct";
            value = value is "0" ? "1" : "0";
        }
        options.Set(name, value.Trim());
    }

    internal static string ExpandVariables(string value, Func<string, IoBenchException> missing) =>
        !value.Contains("${", StringComparison.Ordinal)
            ? value
            : GetVariableRegex()
                .Replace(
                    value,
                    match =>
                        Environment.GetEnvironmentVariable(match.Groups[1].Value) is { Length: > 0 } text
                            ? text
                            : throw missing(match.Groups[1].Value)
                );

    private static readonly Dictionary<string, string> s_aliases = new()
    {
        ["readwrite"] = "rw",
        ["blocksize"] = "bs",
        ["ba"] = "blockalign",
        ["bs_unaligned"] = "blocksize_unaligned",
        ["blocksize_range"] = "bsrange",
        ["nr_files"] = "nrfiles",
        ["wait_for_previous"] = "stonewall",
        ["iodepth_batch_submit"] = "iodepth_batch",
        ["fdatasync"] = "fsync",
        ["steadystate"] = "ss",
        ["steadystate_duration"] = "ss_dur",
        ["steadystate_ramp_time"] = "ss_ramp",
        ["steadystate_check_interval"] = "ss_interval",
    };

    /// <summary>A switch has no value, or one after an equals sign, so the next word does not belong to it.</summary>
    internal static bool IsSwitch(string name) => s_switches.Contains(name);

    private static readonly HashSet<string> s_switches =
    [
        "group_reporting",
        "time_based",
        "thread",
        "stonewall",
        "wait_for_previous",
        "new_group",
        "minimal",
        "readonly",
        "norandommap",
        "refill_buffers",
        "zero_buffers",
        "exitall",
        "append-terse",
        "status-interval-reset",
        "create_only",
        "randrepeat",
        "allrandrepeat",
        "end_fsync",
        "fsync_on_close",
        "invalidate",
        "overwrite",
        "unlink",
        "terse",
        "verify_only",
        "experimental_verify",
    ];

    internal static bool IsIgnorable(string name) =>
        s_harmless.Contains(name)
        || name.StartsWith("log_", StringComparison.Ordinal)
        || name.StartsWith("write_", StringComparison.Ordinal)
        || name.StartsWith("disable_", StringComparison.Ordinal)
        || name.EndsWith("_percentiles", StringComparison.Ordinal);

    private static readonly HashSet<string> s_harmless =
    [
        "name",
        "description",
        "output",
        "output-format",
        "minimal",
        "terse-version",
        "append-terse",
        "eta",
        "eta-newline",
        "eta-interval",
        "status-interval",
        "group_reporting",
        "new_group",
        "thread",
        "percentile_list",
        "unified_rw_reporting",
        "kb_base",
        "unit_base",
        "gtod_reduce",
        "gtod_cpu",
        "clocksource",
        "bwavgtime",
        "iopsavgtime",
        "per_job_logs",
        "significant_figures",
        "randrepeat",
        "allrandrepeat",
        "norandommap",
        "fallocate",
        "create_on_open",
        "create_serialize",
        "create_fsync",
        "file_service_type",
        "exitall",
        "loops",
        "overwrite",
        "invalidate",
        "iodepth_batch",
        "iodepth_batch_complete",
        "iodepth_batch_complete_min",
        "iodepth_batch_complete_max",
        "iodepth_low",
        "refill_buffers",
        "thread_stack",
        "allow_file_create",
        "max-jobs",
    ];

    internal static bool IsMapped(string name) => s_mapped.Contains(name);

    private static readonly HashSet<string> s_mapped =
    [
        "rw",
        "bs",
        "bssplit",
        "iodepth",
        "numjobs",
        "direct",
        "sync",
        "rate_iops",
        "rate",
        "rate_process",
        "ss",
        "runtime",
        "time_based",
        "ramp_time",
        "size",
        "filesize",
        "filename",
        "directory",
        "nrfiles",
        "offset",
        "offset_increment",
        "randseed",
        "percentage_random",
        "rwmixread",
        "rwmixwrite",
        "thinktime",
        "thinktime_blocks",
        "ioengine",
        "stonewall",
        "zero_buffers",
        "buffer_compress_percentage",
        "fsync",
        "cpus_allowed",
        "cpus_allowed_policy",
        "random_distribution",
        "blockalign",
        "atomic",
        "dedupe_percentage",
    ];
}
