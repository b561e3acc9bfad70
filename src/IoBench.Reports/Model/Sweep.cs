using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Reports;

internal enum SweepParameter
{
    FileSize,

    Outstanding,
    Threads,

    BlockSize,
}

internal sealed record SweepPoint(double X, double? IOPS, double? MBps, double? AverageMs, double? P99Ms);

internal sealed record SweepLine(string Name, string? ColorKey, IReadOnlyList<SweepPoint> Points)
{
    public string? Path { get; init; }

    public string? Workload { get; init; }

    public bool IsWholeMilliseconds { get; init; }
}

/// <summary>Runs that are equal except for one or two parameters: a curve over the first, a line for each value of the second.</summary>
internal sealed class Sweep
{
    private const int MinPoints = 3;

    private static readonly Dictionary<SweepParameter, Func<IoTestResult, double?>> s_values = new()
    {
        [SweepParameter.FileSize] = run => run.FileSizeMB,
        [SweepParameter.Outstanding] = run => run.OutstandingIO,
        [SweepParameter.Threads] = run => run.ThreadCount,
        [SweepParameter.BlockSize] = run => run.BlockSizeKB,
    };

    private Sweep(SweepParameter parameter, IReadOnlyList<SweepLine> lines)
    {
        Parameter = parameter;
        Lines = lines;
    }

    public SweepParameter Parameter { get; }
    public IReadOnlyList<SweepLine> Lines { get; }

    public IReadOnlyList<double> Values => [.. Lines.SelectMany(line => line.Points).Select(point => point.X).Distinct().Order()];

    public static string DescribeParameter(SweepParameter parameter) =>
        parameter switch
        {
            SweepParameter.FileSize => "file size",
            SweepParameter.Outstanding => "outstanding I/Os per thread",
            SweepParameter.Threads => "threads",
            _ => "block size",
        };

    public static string FormatValue(SweepParameter parameter, double value) =>
        parameter switch
        {
            SweepParameter.FileSize => NumberFormat.Size(value),
            SweepParameter.BlockSize => NumberFormat.Size(value / 1024),
            _ => NumberFormat.Plain(value, 0),
        };

    /// <summary>Runs that vary in more than two parameters, or in two without every combination of values, are not a sweep.</summary>
    public static IReadOnlyList<Sweep> FindAll(IReadOnlyList<IoTestResult> results)
    {
        var lines = new Dictionary<SweepParameter, List<SweepLine>>();
        var hasSides = TestIdentity.AreSides(results);
        foreach (var group in results.Where(run => run.IOPS is not null).GroupBy(run => GetFixedParameters(run, hasSides)))
        {
            List<IoTestResult> runs = [.. group];
            var varied = s_values
                .Where(item => runs.All(run => item.Value(run) is not null))
                .Select(item => (item.Key, item.Value, Count: runs.Select(item.Value).Distinct().Count()))
                .Where(item => item.Count > 1)
                .OrderByDescending(item => item.Count)
                .ToList();
            if (varied.Count is 0 or > 2 || varied[0].Count < MinPoints)
                continue;
            if (
                varied.Count == 2
                && runs.Select(run => (varied[0].Value(run), varied[1].Value(run))).Distinct().Count() != varied[0].Count * varied[1].Count
            )
                continue;
            if (!lines.TryGetValue(varied[0].Key, out var list))
                lines.Add(varied[0].Key, list = []);
            foreach (
                var line in varied.Count == 1
                    ? [runs]
                    : runs.GroupBy(varied[1].Value).OrderBy(item => item.Key).Select(item => item.ToList())
            )
                list.Add(CreateLine(line, varied[0].Key, varied.Count == 1 ? null : varied[1].Key, hasSides ? line[0].Label : null));
        }
        return [.. lines.OrderBy(item => item.Key).Select(item => new Sweep(item.Key, MakeNamesDistinct(item.Value)))];
    }

    /// <summary>
    /// The first point of the plateau, if the sweep has one. Over the file size, the first point from which all are
    /// within 10% of the last, because caches no longer help there. Null if there is none.
    /// </summary>
    public SweepPoint? FindKnee(SweepLine line)
    {
        var points = line.Points;
        if (Parameter == SweepParameter.FileSize)
        {
            var last = points[^1].IOPS;
            var first = points.Count;
            while (first > 0 && Math.Abs(points[first - 1].IOPS!.Value - last!.Value) <= last.Value * 0.1)
                first--;
            return first > 0 && first < points.Count - 1 ? points[first] : null;
        }
        Func<SweepPoint, double?> gain = Parameter == SweepParameter.BlockSize ? point => point.MBps : point => point.IOPS;
        return SaturationResult.FindKnee([.. points.Select(point => gain(point) ?? 0)]) is { } knee ? points[knee] : null;
    }

    private static object GetFixedParameters(IoTestResult run, bool hasSides) =>
        (
            run.Source,
            hasSides ? run.Label : null,
            run.Workload,
            run.ComputerName,
            run.Path,
            run.AccessPattern,
            run.WritePercent,
            run.Buffering,
            (run.LoadModel, run.TargetIops, run.TargetCount)
        );

    private static SweepLine CreateLine(List<IoTestResult> runs, SweepParameter parameter, SweepParameter? second, string? side)
    {
        var first = runs[0];
        var pattern =
            parameter == SweepParameter.BlockSize
                ? PatternText.Describe(null, first.AccessPattern, first.WritePercent)
                : RunDescription.DescribePattern(first);
        var name = pattern;
        if (second is { } other && other != SweepParameter.BlockSize)
        {
            var unit = other switch
            {
                SweepParameter.FileSize => "file",
                SweepParameter.Threads => first.ThreadCount == 1 ? "thread" : "threads",
                _ => "outstanding",
            };
            name += $", {FormatValue(other, s_values[other](first)!.Value)} {unit}";
        }
        if (!string.IsNullOrEmpty(side))
            name += " " + side;
        return new(
            name,
            null,
            [
                .. runs.GroupBy(run => s_values[parameter](run)!.Value)
                    .OrderBy(group => group.Key)
                    .Select(group => new SweepPoint(
                        group.Key,
                        group.Average(run => run.IOPS),
                        group.Average(run => run.BandwidthMBps),
                        group.Average(run => run.AverageLatencyMs),
                        group.Average(run => run.P99Ms)
                    )),
            ]
        )
        {
            ColorKey = second is null && string.IsNullOrEmpty(side) ? RunDescription.DescribePattern(first) : null,
            Path = first.Path,
            Workload = first.Workload,
            IsWholeMilliseconds = runs.TrueForAll(run => ResultFormats.IsInWholeMilliseconds(run) && run.AverageLatencyMs % 1 is null or 0),
        };
    }

    private static List<SweepLine> MakeNamesDistinct(List<SweepLine> lines)
    {
        lines = AddToDuplicateNames(lines, [.. lines.Select(line => line.Workload)]);
        return AddToDuplicateNames(lines, RunDescription.GetDifferingPaths([.. lines.Select(line => line.Path)]));
    }

    private static List<SweepLine> AddToDuplicateNames(List<SweepLine> lines, IReadOnlyList<string?> parts)
    {
        var doubled = lines.GroupBy(line => line.Name).Where(group => group.Count() > 1).Select(group => group.Key).ToHashSet();
        return
        [
            .. lines.Select(
                (line, index) =>
                    doubled.Contains(line.Name) && parts[index] is { Length: > 0 } part
                        ? line with
                        {
                            Name = $"{line.Name} {part}",
                            ColorKey = null,
                        }
                        : line
            ),
        ];
    }
}
