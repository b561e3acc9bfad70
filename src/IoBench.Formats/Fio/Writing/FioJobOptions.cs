using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioJobOptions
{
    internal static IReadOnlyList<(string Name, string Value)> Of(IoTestResult result)
    {
        List<(string Name, string Value)> options = [];
        AddAccess(options, result);
        AddFiles(options, result);
        AddPace(options, result);
        foreach (var (name, value) in Given(result))
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
            && (result.Specification?.RandomPercent ?? GivenNumber(result, "percentage_random")) is > 0 and < 100 and var share
        )
            options.Add(("percentage_random", Figures.Whole(share)));
        if (result is { Operation: IoOperation.Mixed, WritePercent: { } writes })
            options.Add(("rwmixwrite", Figures.Whole(writes)));
        if (result.BlockSizeKB is > 0 and < 1e9 and var block)
            options.Add(("bs", Figures.Whole((long)Math.Round(block * 1024))));
        else if (result.Specification?.BlockMix is { } mix)
            options.Add(("bssplit", mix.IsUniform() ? Split(mix.Reads) : $"{Split(mix.Reads)},{Split(mix.Writes)}"));
        else if (result.Operation == IoOperation.Mixed && GivenText(result, "bs") is { } sizes)
            options.Add(("bs", sizes));
        if (random && result.Specification is { } test && DistributionOf(test.Order.Spread) is { } distribution)
            options.Add(("random_distribution", distribution));
        if (EngineOf(result) is { } engine)
            options.Add(("ioengine", engine));
        if (result.OutstandingIO is { } depth)
            options.Add(("iodepth", Figures.Whole(depth)));
        if (result.ThreadCount is { } threads)
            options.Add(("numjobs", Figures.Whole(threads)));
        if (result.Buffering is { } buffering)
        {
            options.Add(("direct", buffering is IoBuffering.None or IoBuffering.Hardware ? "1" : "0"));
            options.Add(("sync", SyncOf(result, buffering is IoBuffering.None or IoBuffering.Software)));
        }
    }

    /// <summary>
    /// Returns the original value; otherwise a number, because fio before 3.22 and programs that read its JSON know only numbers.
    /// </summary>
    private static string SyncOf(IoTestResult result, bool isOn) =>
        GivenText(result, "sync") is { Length: > 0 } given && isOn == (given is not ("0" or "none")) ? given
        : isOn ? "1"
        : "0";

    private static string Split(IReadOnlyList<IoBlockShare> shares) =>
        string.Join(':', shares.Select(share => $"{Figures.Whole(share.Size)}/{Figures.Whole(share.Percent)}"));

    private static string? DistributionOf(IoDistribution distribution) =>
        distribution switch
        {
            IoDistribution.Zipf or IoDistribution.Pareto => distribution.ToString(),
            IoDistribution.Parts parts => string.Join(
                ':',
                parts
                    .List.Select(part => $"{Figures.Whole(part.IOPercent)}/{Figures.Whole(part.TargetPart)}")
                    .Prepend(parts is IoDistribution.Absolute ? "zoned_abs" : "zoned")
            ),
            _ => null,
        };

    private static void AddFiles(List<(string Name, string Value)> options, IoTestResult result)
    {
        var count = Math.Max(1, result.TargetCount ?? 1);
        if (GivenText(result, "directory") is { } directory && result.Path == directory)
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
            options.Add(("nrfiles", Figures.Whole(files / count)));
        if (result.FileSizeMB is > 0 and < 1e12 and var size)
            options.Add(("size", Figures.Whole((long)Math.Round(size * (1 << 20) / count))));
    }

    private static void AddPace(List<(string, string)> options, IoTestResult result)
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
                        GivenText(result, "rate_iops")
                            ?? $"{Figures.Whole((long)(Math.Round(each) - writes))},{Figures.Whole((long)writes)}"
                    )
                );
            }
            else
            {
                options.Add(("rate_iops", Figures.Whole((long)Math.Max(1, Math.Round(each)))));
            }
        }
        if (result.Specification is { } test)
        {
            options.Add(("time_based", "1"));
            options.Add(("runtime", Time(test.Duration)));
            if (test.WarmUp > TimeSpan.Zero)
                options.Add(("ramp_time", Time(test.WarmUp)));
            options.Add(("randseed", test.Seed.ToString(CultureInfo.InvariantCulture)));
        }
    }

    private static string? EngineOf(IoTestResult result) =>
        result.Source == FioFormat.Source ? result.Backend : FioEngines.EngineOf(result.Backend);

    private static IEnumerable<(string Name, string Value)> Given(IoTestResult result)
    {
        if (result.Source != FioFormat.Source || !result.ToolDetails.TryGetValue("job options", out var line))
            yield break;
        foreach (var word in CommandLineWords.Split(line))
        {
            if (!word.StartsWith("--", StringComparison.Ordinal))
                continue;
            var at = word.IndexOf('=', StringComparison.Ordinal);
            yield return at < 0 ? (word[2..], "1") : (word[2..at], word[(at + 1)..]);
        }
    }

    private static string? GivenText(IoTestResult result, string name) => Given(result).FirstOrDefault(option => option.Name == name).Value;

    private static int? GivenNumber(IoTestResult result, string name) =>
        int.TryParse(GivenText(result, name), NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;

    /// <summary>Formats a time in seconds, because programs that read fio's JSON assume that unit.</summary>
    private static string Time(TimeSpan time) =>
        time.Ticks % TimeSpan.TicksPerSecond == 0
            ? Figures.Whole(time.Ticks / TimeSpan.TicksPerSecond)
            : Figures.Whole((long)time.TotalMilliseconds) + "ms";
}
