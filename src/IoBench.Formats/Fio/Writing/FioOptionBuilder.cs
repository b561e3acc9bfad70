using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioOptionBuilder
{
    internal static IReadOnlyList<(string Name, string Value)> CreateOptions(IoTestResult result)
    {
        List<(string Name, string Value)> options = [];
        AddAccess(options, result);
        AddFiles(options, result);
        AddRateAndTimes(options, result);
        foreach (var (name, value) in GetOriginalOptions(result))
        {
            if (!options.Exists(option => option.Name == name) && !s_replaced.Contains(name))
                options.Add((name, value));
        }
        return options;
    }

    private static readonly HashSet<string> s_replaced =
    [
        "name",
        "readwrite",
        "blocksize",
        "buffered",
        "filesize",
        "rwmixread",
        "rate_iops",
        "description",
        "atomic",
    ];

    private static void AddAccess(List<(string, string)> options, IoTestResult result)
    {
        var random = result.AccessPattern is IoAccessPattern.Random or IoAccessPattern.PartRandom;
        if (result is { Operation: { } operation, AccessPattern: not null })
            options.Add(
                (
                    "rw",
                    (random ? "rand" : "")
                        + operation switch
                        {
                            IoOperation.Read => "read",
                            IoOperation.Write => "write",
                            _ => "rw",
                        }
                )
            );
        if (
            result.AccessPattern == IoAccessPattern.PartRandom
            && (result.Specification?.RandomPercent ?? GetOriginalNumber(result, "percentage_random")) is > 0 and < 100 and var share
        )
            options.Add(("percentage_random", NumberFormat.Integer(share)));
        if (result is { Operation: IoOperation.Mixed, WritePercent: { } writes })
            options.Add(("rwmixwrite", NumberFormat.Integer(writes)));
        if (result.BlockSizeKB is > 0 and < 1e9 and var block)
            options.Add(("bs", NumberFormat.Integer((long)Math.Round(block * 1024))));
        else if (result.Specification?.BlockMix is { } mix)
            options.Add(
                (
                    "bssplit",
                    mix.HasSameReadsAndWrites() ? FormatBlockMix(mix.Reads) : $"{FormatBlockMix(mix.Reads)},{FormatBlockMix(mix.Writes)}"
                )
            );
        else if (result.Operation == IoOperation.Mixed && GetOriginalText(result, "bs") is { } sizes)
            options.Add(("bs", sizes));
        if (random && result.Specification is { } test && FormatDistribution(test.GetDistribution()) is { } distribution)
            options.Add(("random_distribution", distribution));
        if (GetEngine(result) is { } engine)
            options.Add(("ioengine", engine));
        if (result.OutstandingIO is { } depth)
            options.Add(("iodepth", NumberFormat.Integer(depth)));
        if (result.ThreadCount is { } threads)
            options.Add(("numjobs", NumberFormat.Integer(threads)));
        if (result.Buffering is { } buffering)
        {
            options.Add(("direct", buffering is IoBuffering.None or IoBuffering.Hardware ? "1" : "0"));
            options.Add(("sync", GetSync(result, buffering is IoBuffering.None or IoBuffering.Software)));
        }
    }

    /// <summary>fio before 3.22 and programs that read its JSON know only numbers.</summary>
    private static string GetSync(IoTestResult result, bool isOn) =>
        GetOriginalText(result, "sync") is { Length: > 0 } given && isOn == (given is not ("0" or "none")) ? given
        : isOn ? "1"
        : "0";

    private static string FormatBlockMix(IReadOnlyList<IoBlockShare> shares) =>
        string.Join(':', shares.Select(share => $"{NumberFormat.Integer(share.Size)}/{NumberFormat.Integer(share.Percent)}"));

    private static string? FormatDistribution(IoDistribution distribution)
    {
        if (distribution.ZipfTheta is not null || distribution.ParetoShare is not null)
            return distribution.ToString();
        if (distribution.Ranges.Count == 0)
            return null;
        var zones = distribution.Ranges.Select(part => $"{NumberFormat.Integer(part.IOPercent)}/{NumberFormat.Integer(part.TargetPart)}");
        return string.Join(':', zones.Prepend(distribution.IsAbsolute ? "zoned_abs" : "zoned"));
    }

    private static void AddFiles(List<(string Name, string Value)> options, IoTestResult result)
    {
        var count = Math.Max(1, result.TargetCount ?? 1);
        if (GetOriginalText(result, "directory") is { } directory && result.Path == directory)
        {
            options.Add(("directory", directory));
            count = Math.Max(1, result.ThreadCount ?? 1);
        }
        else if (result.Path is { Length: > 0 } path)
        {
            // A colon separates names, unless a backslash precedes it.
            options.Add(
                (
                    "filename",
                    string.Join(
                        ':',
                        (count > 1 ? path.Split("; ") : [path]).Select(name => name.Replace(":", "\\:", StringComparison.Ordinal))
                    )
                )
            );
            count = 1;
        }
        else
        {
            count = Math.Max(1, result.ThreadCount ?? 1);
        }
        if (!options.Exists(option => option.Name == "filename") && result.TargetCount is { } files && files % count == 0)
            options.Add(("nrfiles", NumberFormat.Integer(files / count)));
        if (result.FileSizeMB is > 0 and < 1e12 and var size)
            options.Add(("size", NumberFormat.Integer((long)Math.Round(size * (1 << 20) / count))));
    }

    private static void AddRateAndTimes(List<(string, string)> options, IoTestResult result)
    {
        if (result.TargetIops is > 0 and < 1e15 and var rate)
        {
            var each = rate / Math.Max(1, result.ThreadCount ?? 1);
            if (result.Operation == IoOperation.Mixed)
            {
                var writes = Math.Round(each * (result.WritePercent ?? 50) / 100);
                options.Add(
                    (
                        "rate_iops",
                        GetOriginalText(result, "rate_iops")
                            ?? $"{NumberFormat.Integer((long)(Math.Round(each) - writes))},{NumberFormat.Integer((long)writes)}"
                    )
                );
            }
            else
            {
                options.Add(("rate_iops", NumberFormat.Integer((long)Math.Max(1, Math.Round(each)))));
            }
        }
        if (result.Specification is { } test)
        {
            options.Add(("time_based", "1"));
            options.Add(("runtime", FormatTime(test.Duration)));
            if (test.WarmUp > TimeSpan.Zero)
                options.Add(("ramp_time", FormatTime(test.WarmUp)));
            options.Add(("randseed", test.Seed.ToString(CultureInfo.InvariantCulture)));
        }
    }

    private static string? GetEngine(IoTestResult result) =>
        result.Source == FioFormat.Source ? result.Backend : FioOptions.FindEngine(result.Backend);

    private static IEnumerable<(string Name, string Value)> GetOriginalOptions(IoTestResult result)
    {
        if (result.Source != FioFormat.Source || !result.ToolDetails.TryGetValue("job options", out var line))
            yield break;
        foreach (var word in CommandLineSplitter.Split(line))
        {
            if (!word.StartsWith("--", StringComparison.Ordinal))
                continue;
            var at = word.IndexOf('=', StringComparison.Ordinal);
            yield return at < 0 ? (word[2..], "1") : (word[2..at], word[(at + 1)..]);
        }
    }

    private static string? GetOriginalText(IoTestResult result, string name) =>
        GetOriginalOptions(result).FirstOrDefault(option => option.Name == name).Value;

    private static int? GetOriginalNumber(IoTestResult result, string name) =>
        int.TryParse(GetOriginalText(result, name), NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;

    /// <summary>Formats a time in seconds, because programs that read fio's JSON assume that unit.</summary>
    private static string FormatTime(TimeSpan time) =>
        time.Ticks % TimeSpan.TicksPerSecond == 0
            ? NumberFormat.Integer(time.Ticks / TimeSpan.TicksPerSecond)
            : NumberFormat.Integer((long)time.TotalMilliseconds) + "ms";
}
