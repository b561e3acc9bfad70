using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioJobWriter
{
    /// <summary>Error number of EIO.</summary>
    private const int IoError = 5;

    internal static void WriteJob(FioJsonWriter json, IoTestResult result, int group)
    {
        json.BeginObject();
        json.WriteText(
            "jobname",
            result.Label ?? result.Workload ?? result.IOPattern ?? string.Create(CultureInfo.InvariantCulture, $"job{group + 1}")
        );
        json.WriteInteger("groupid", group);
        if (result.StartTime is { } start && start.ToUnixTimeMilliseconds() is > 0 and var moment)
            json.WriteInteger("job_start", moment);
        json.WriteInteger("error", GetErrorNumber(result));
        json.WriteInteger("eta", 0);
        if (result.StartTime is not null)
            json.WriteInteger(
                "elapsed",
                FioDirectionTotals.RoundToCount(
                    FioDirectionTotals.GetDetail(result, "elapsed") ?? Math.Ceiling(result.DurationSeconds ?? 0)
                )
            );
        json.BeginObject("job options");
        foreach (var (name, value) in FioOptionBuilder.CreateOptions(result))
            json.WriteText(name, value);
        json.EndObject();
        WriteDirections(json, result);
        FioJobWriter.WriteTrim(json, result);
        FioJobWriter.WriteSync(json, result);
        WriteProcessor(json, result);
        WriteDepth(json, result);
        FioJobWriter.WriteLatencyBuckets(json, result.Histogram);
        WriteIOErrors(json, result);
        WriteExtensions(json, result);
        json.EndObject();
    }

    private static int GetErrorNumber(IoTestResult result) =>
        result.Status != IoResultStatus.Failed ? 0
        : FioDirectionTotals.GetDetail(result, "error") is { } number and (>= 1 or <= -1)
            ? (int)Math.Clamp(number, int.MinValue, int.MaxValue)
        : IoError;

    /// <summary>
    /// Writes reads and writes, and the mixed values if the result has both, because common percentiles cannot be computed from separate
    /// ones.
    /// </summary>
    private static void WriteDirections(FioJsonWriter json, IoTestResult result)
    {
        var (read, write) = (FioDirectionTotals.FromReads(result), FioDirectionTotals.FromWrites(result));
        var hasParts =
            result.Operation is IoOperation.Read or IoOperation.Write
            || result.ReadIOPS is not null
            || result.WriteIOPS is not null
            || result.ReadMBps is not null
            || result.WriteMBps is not null;
        var asOne =
            result.Operation is not (IoOperation.Read or IoOperation.Write)
            && (result.IOPS is not null || result.BandwidthMBps is not null || result.IOCount is not null);
        if (hasParts || !asOne)
        {
            FioJobWriter.WriteDirection(json, result, read);
            FioJobWriter.WriteDirection(json, result, write);
        }
        if (asOne)
            FioJobWriter.WriteDirection(json, result, FioDirectionTotals.FromAllIO(result));
    }

    private static void WriteProcessor(FioJsonWriter json, IoTestResult result)
    {
        // fio adds up the times of all threads.
        var threads = Math.Max(1, result.ThreadCount ?? 1);
        var runtime = FioDirectionTotals.GetDetail(result, "job_runtime") ?? Math.Round((result.DurationSeconds ?? 0) * 1000) * threads;
        var (user, system) = (FioDirectionTotals.GetDetail(result, "usr_cpu"), FioDirectionTotals.GetDetail(result, "sys_cpu"));
        if (user is null && system is null && result.CpuUsPerIO is { } each && result.IOCount is { } count && runtime > 0)
        {
            var percent = each * count / (runtime * 1000) * 100;
            // The split into user and kernel time is known only for the whole computer.
            var (programs, kernel) = (result.Processors.Sum(p => p.UserPercent ?? 0), result.Processors.Sum(p => p.KernelPercent ?? 0));
            user = programs + kernel > 0 ? percent * programs / (programs + kernel) : percent;
            system = percent - user;
        }
        // If the CPU time is unknown, write 0, so that readers do not divide by the run time.
        json.WriteInteger(
            "job_runtime",
            user is null && system is null || FioDirectionTotals.GetDetail(result, "job_runtime") is null && result.CpuUsPerIO is null
                ? 0
                : FioDirectionTotals.RoundToCount(runtime)
        );
        json.WriteReal("usr_cpu", user ?? 0);
        json.WriteReal("sys_cpu", system ?? 0);
        json.WriteInteger("ctx", FioDirectionTotals.RoundToCount(FioDirectionTotals.GetDetail(result, "ctx")));
        json.WriteInteger("majf", FioDirectionTotals.RoundToCount(FioDirectionTotals.GetDetail(result, "majf")));
        json.WriteInteger("minf", FioDirectionTotals.RoundToCount(FioDirectionTotals.GetDetail(result, "minf")));
    }

    private static readonly int[] s_depths = [1, 2, 4, 8, 16, 32, 64];

    private static void WriteDepth(FioJsonWriter json, IoTestResult result)
    {
        json.BeginObject("iodepth_level");
        var of = result.OutstandingIO is >= 1 and var depth ? Array.FindLastIndex(s_depths, min => depth >= min) : -1;
        for (var i = 0; i < s_depths.Length; i++)
            json.WriteReal((i == s_depths.Length - 1 ? ">=" : "") + s_depths[i].ToString(CultureInfo.InvariantCulture), i == of ? 100 : 0);
        json.EndObject();
    }

    private static void WriteIOErrors(FioJsonWriter json, IoTestResult result)
    {
        if (FioDirectionTotals.GetDetail(result, "total_err") is not { } failed)
            return;
        json.WriteInteger("total_err", FioDirectionTotals.RoundToCount(failed));
        json.WriteInteger("first_error", FioDirectionTotals.RoundToCount(FioDirectionTotals.GetDetail(result, "first_error")));
    }

    private static void WriteExtensions(FioJsonWriter json, IoTestResult result)
    {
        if (result.ToolDetails.TryGetValue("desc", out var description))
            json.WriteText("desc", description);
        json.BeginObject(FioExtensions.Name);
        foreach (var fact in FioExtensions.All)
        {
            if (fact.Get(result) is { Length: > 0 } text)
                json.WriteText(fact.Name, text);
        }
        json.EndObject();
    }
}
