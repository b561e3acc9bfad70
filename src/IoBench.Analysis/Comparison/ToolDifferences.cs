using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

internal static class ToolDifferences
{
    internal static IReadOnlyList<Finding> Of(IReadOnlyList<ComparisonRow> rows)
    {
        var left = rows.SelectMany(row => row.BaselineResults).ToList();
        var right = rows.SelectMany(row => row.Results).ToList();
        if (left.Count == 0 || right.Count == 0 || left.Select(Tool).Concat(right.Select(Tool)).Distinct().Count() == 1)
            return [];
        return
        [
            .. new[]
            {
                Latency(left, right),
                Percentiles(left, right),
                Deviation(left, right),
                Units(left, right),
                BestRun(left, right),
            }.OfType<Finding>(),
        ];
    }

    private static Finding? Latency(List<IoTestResult> left, List<IoTestResult> right)
    {
        var fio = Only(left, right, r => Detail(r, "percentiles of") == "clat" || Detail(r, "latency of") == "clat");
        if (fio.Count == 0)
            return null;
        var submission = fio.Select(Submission).OfType<double>().ToList();
        var isAverage = fio.Exists(r => Detail(r, "latency of") == "clat");
        var average = submission.Count > 0 ? submission.Average() : (double?)null;
        var lost = average is { } ms ? string.Create(CultureInfo.InvariantCulture, $": {ms:0.#####} ms on average are not in them") : "";
        return new Finding
        {
            Code = FindingCodes.ComparisonLatencyMeaning,
            Subject = "fio",
            What = isAverage
                ? $"fio's latencies count from the end of the submission, those of {Others(left, right, "fio")} from its beginning{lost}"
                : $"fio's percentiles count from the end of the submission, those of {Others(left, right, "fio")} from its beginning{lost}; its averages also count from the beginning",
            Severity = FindingSeverity.Info,
            Evidence = average is null ? [] : [new("submission", average, "ms"), .. Converted(fio, average.Value)],
            WhatToDo = average > 0 ? "Add the submission to fio's percentiles, or let fio print lat_percentiles=1" : null,
        };
    }

    private static IEnumerable<FindingFigure> Converted(List<IoTestResult> fio, double submission)
    {
        var p99 = fio.Select(r => r.P99Ms).OfType<double>().ToList();
        if (p99.Count > 0)
            yield return new("P99Ms with submission", p99.Average() + submission, "ms");
    }

    private static Finding? Percentiles(List<IoTestResult> left, List<IoTestResult> right)
    {
        if (
            !left.Exists(r => r.P99Ms is not null)
            || !right.Exists(r => r.P99Ms is not null)
            || PercentileRule(left[0]) == PercentileRule(right[0])
        )
            return null;
        return new Finding
        {
            Code = FindingCodes.ComparisonStatistics,
            Subject = "percentiles",
            What =
                $"percentiles are not the same figure: {Tool(left[0])} gives {PercentileRule(left[0])}, {Tool(right[0])} {PercentileRule(right[0])}; a difference below 1 % says nothing",
            Severity = FindingSeverity.Info,
        };
    }

    private static string PercentileRule(IoTestResult r) =>
        Tool(r) switch
        {
            "fio" or ResultFormats.OwnTool => "the middle of a bucket, up to 0.8 % off",
            "DiskSpd" or "VMFleet" => "the latency of that rank, exact to the microsecond",
            "SQLIO" => "the whole millisecond of its histogram",
            _ => "what it does not define",
        };

    private static Finding? Deviation(List<IoTestResult> left, List<IoTestResult> right)
    {
        var fio = Only(left, right, r => r.Source == FioFormat.Source && r.LatencyStdDevMs is not null && r.IOCount is < 1000);
        return fio.Count == 0
            ? null
            : new Finding
            {
                Code = FindingCodes.ComparisonStatistics,
                Subject = "deviation",
                What =
                    $"fio's deviation is that of a sample (divided by one less than the count), that of {Others(left, right, "fio")} of all I/Os: with fewer than 1,000 I/Os they differ",
                Severity = FindingSeverity.Info,
            };
    }

    private static Finding? Units(List<IoTestResult> left, List<IoTestResult> right)
    {
        var converted = Only(left, right, r => r.Source == CdmFormat.Source);
        return converted.Count == 0
            ? null
            : new Finding
            {
                Code = FindingCodes.ComparisonUnits,
                Subject = "CrystalDiskMark",
                What =
                    "CrystalDiskMark's MB/s are of 1,000,000 bytes: they were converted to those of 1,048,576, which all others here have",
                Severity = FindingSeverity.Info,
                Evidence = converted.Find(r => r.BandwidthMBps is not null)?.BandwidthMBps is { } rate
                    ? [new("BandwidthMBps", rate, "MiB/s"), new("as CrystalDiskMark shows it", rate * 1.048576, "MB/s")]
                    : [],
            };
    }

    private static Finding? BestRun(List<IoTestResult> left, List<IoTestResult> right) =>
        Only(left, right, r => r.Source == CdmFormat.Source).Count == 0
            ? null
            : new Finding
            {
                Code = FindingCodes.ComparisonBestRun,
                Subject = "CrystalDiskMark",
                What =
                    $"CrystalDiskMark shows the best of its runs, {Others(left, right, "CrystalDiskMark")} the whole measured time: it comes out better on the same storage",
                Severity = FindingSeverity.Watch,
            };

    private static List<IoTestResult> Only(List<IoTestResult> left, List<IoTestResult> right, Func<IoTestResult, bool> has) =>
        [.. left.Where(has), .. right.Where(has)];

    private static string Others(List<IoTestResult> left, List<IoTestResult> right, string tool) =>
        string.Join(" and ", left.Concat(right).Select(Tool).Where(other => other != tool).Distinct());

    private static string Tool(IoTestResult r) => ResultFormats.ToolOf(r.Source);

    private static string? Detail(IoTestResult r, string name) =>
        r.Source == FioFormat.Source ? r.ToolDetails.GetValueOrDefault(name) : null;

    private static double? Submission(IoTestResult r)
    {
        var (sum, count) = (0.0, 0.0);
        foreach (
            var (name, side) in (ReadOnlySpan<(string, IoTotals?)>)
                [("read", r.Totals?.Read), ("write", r.Totals?.Write), ("mixed", r.Totals?.Total)]
        )
        {
            if (!double.TryParse(Detail(r, name + " slat mean (ms)"), NumberStyles.Float, CultureInfo.InvariantCulture, out var mean))
                continue;
            var weight = side?.IOCount ?? 1;
            (sum, count) = (sum + mean * weight, count + weight);
        }
        return count > 0 ? sum / count : null;
    }
}
