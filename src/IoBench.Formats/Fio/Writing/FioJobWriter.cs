using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioJobWriter
{
    /// <summary>Error number of EIO.</summary>
    private const int IoError = 5;

    internal static void Write(FioJsonLines json, IoTestResult result, int group)
    {
        json.Begin();
        json.Text(
            "jobname",
            result.Label ?? result.Workload ?? result.IOPattern ?? string.Create(CultureInfo.InvariantCulture, $"job{group + 1}")
        );
        json.Number("groupid", group);
        if (result.StartTime is { } start && start.ToUnixTimeMilliseconds() is > 0 and var moment)
            json.Number("job_start", moment);
        json.Number("error", ErrorOf(result));
        json.Number("eta", 0);
        if (result.StartTime is not null)
            json.Number("elapsed", FioSide.Whole(FioSide.Detail(result, "elapsed") ?? Math.Ceiling(result.DurationSeconds ?? 0)));
        json.Begin("job options");
        foreach (var (name, value) in FioJobOptions.Of(result))
            json.Text(name, value);
        json.End();
        WriteSides(json, result);
        FioSideWriter.WriteTrim(json, result);
        FioSideWriter.WriteSync(json, result);
        WriteProcessor(json, result);
        WriteDepth(json, result);
        FioBandWriter.Write(json, result.Histogram);
        WriteFaults(json, result);
        WriteOwn(json, result);
        json.End();
    }

    private static int ErrorOf(IoTestResult result) =>
        result.Status != IoResultStatus.Failed ? 0
        : FioSide.Detail(result, "error") is { } number and (>= 1 or <= -1) ? (int)Math.Clamp(number, int.MinValue, int.MaxValue)
        : IoError;

    /// <summary>
    /// Writes reads and writes, and the mixed values if the result has both, because common percentiles cannot be computed from separate
    /// ones.
    /// </summary>
    private static void WriteSides(FioJsonLines json, IoTestResult result)
    {
        var (read, write) = (FioSide.Read(result), FioSide.Write(result));
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
            FioSideWriter.Write(json, result, read);
            FioSideWriter.Write(json, result, write);
        }
        if (asOne)
            FioSideWriter.Write(json, result, FioSide.Mixed(result));
    }

    private static void WriteProcessor(FioJsonLines json, IoTestResult result)
    {
        // fio adds up the times of all threads.
        var threads = Math.Max(1, result.ThreadCount ?? 1);
        var runtime = FioSide.Detail(result, "job_runtime") ?? Math.Round((result.DurationSeconds ?? 0) * 1000) * threads;
        var (user, system) = (FioSide.Detail(result, "usr_cpu"), FioSide.Detail(result, "sys_cpu"));
        if (user is null && system is null && result.CpuUsPerIO is { } each && result.IOCount is { } count && runtime > 0)
        {
            var percent = each * count / (runtime * 1000) * 100;
            // The split into user and kernel time is known only for the whole computer.
            var (programs, kernel) = (result.Processors.Sum(p => p.UserPercent ?? 0), result.Processors.Sum(p => p.KernelPercent ?? 0));
            user = programs + kernel > 0 ? percent * programs / (programs + kernel) : percent;
            system = percent - user;
        }
        // If the CPU time is unknown, write 0, so that readers do not divide by the run time.
        json.Number(
            "job_runtime",
            user is null && system is null || FioSide.Detail(result, "job_runtime") is null && result.CpuUsPerIO is null
                ? 0
                : FioSide.Whole(runtime)
        );
        json.Real("usr_cpu", user ?? 0);
        json.Real("sys_cpu", system ?? 0);
        json.Number("ctx", FioSide.Whole(FioSide.Detail(result, "ctx")));
        json.Number("majf", FioSide.Whole(FioSide.Detail(result, "majf")));
        json.Number("minf", FioSide.Whole(FioSide.Detail(result, "minf")));
    }

    private static readonly int[] s_depths = [1, 2, 4, 8, 16, 32, 64];

    private static void WriteDepth(FioJsonLines json, IoTestResult result)
    {
        json.Begin("iodepth_level");
        var of = result.OutstandingIO is >= 1 and var depth ? Array.FindLastIndex(s_depths, min => depth >= min) : -1;
        for (var i = 0; i < s_depths.Length; i++)
            json.Real((i == s_depths.Length - 1 ? ">=" : "") + s_depths[i].ToString(CultureInfo.InvariantCulture), i == of ? 100 : 0);
        json.End();
    }

    private static void WriteFaults(FioJsonLines json, IoTestResult result)
    {
        if (FioSide.Detail(result, "total_err") is not { } failed)
            return;
        json.Number("total_err", FioSide.Whole(failed));
        json.Number("first_error", FioSide.Whole(FioSide.Detail(result, "first_error")));
    }

    private static void WriteOwn(FioJsonLines json, IoTestResult result)
    {
        if (result.ToolDetails.TryGetValue("desc", out var description))
            json.Text("desc", description);
        json.Begin(FioOwnFacts.Name);
        foreach (var fact in FioOwnFacts.All)
        {
            if (fact.Get(result) is { Length: > 0 } text)
                json.Text(fact.Name, text);
        }
        json.End();
    }
}
