using System.Collections.Concurrent;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Removes all parts of a result that the summary of a group does not need, and shares texts that are equal in many
/// results.</summary>
internal sealed class ResultTrimmer
{
    private readonly ConcurrentDictionary<string, string> _texts = new(StringComparer.Ordinal);
    private List<string> _members = [];

    public void Trim(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        result.Threads = [];
        result.Targets = [];
        result.SlowestIOs = [];
        result.Stalls = [];
        result.HostPauses = [];
        result.Devices = [];
        result.Processors = [];
        result.Percentiles = [];
        result.ToolDetails = [];
        result.Totals = null;
        result.Timeline = result.Timeline.ConvertAll(point => new IoTimelinePoint
        {
            Seconds = point.Seconds,
            IOPS = point.IOPS,
            MBps = point.MBps,
        });
        result.Specification = result.Specification is { } test
            ? new IoTestSpecification { WarmUp = test.WarmUp, Duration = test.Duration }
            : null;
        result.Histogram = TrimHistogram(result.Histogram);
        result.ResponseHistogram = TrimHistogram(result.ResponseHistogram);
        // Share the list of members, because each of a thousand results has the same one.
        if (result.GroupMembers.SequenceEqual(_members, StringComparer.Ordinal))
            result.GroupMembers = _members;
        else
            _members = result.GroupMembers;
        result.Host = result.Host.ToDictionary(fact => InternText(fact.Key), fact => InternText(fact.Value));
        result.Warnings = result.Warnings.ConvertAll(text => InternText(text));
        result.Workload = InternText(result.Workload);
        result.IOPattern = InternText(result.IOPattern);
        result.Path = InternText(result.Path);
        result.Device = InternText(result.Device);
        result.FileSystem = InternText(result.FileSystem);
        result.Backend = InternText(result.Backend);
    }

    private static IoHistogram? TrimHistogram(IoHistogram? histogram)
    {
        if (histogram is null)
            return null;
        var buckets = histogram.ReadBuckets();
        if (buckets.Any(bucket => bucket is { ReadCount: null, WriteCount: null }))
            return histogram;
        // Values in an array need much less memory than buckets.
        var bands = buckets
            .Select(bucket => (bucket.FromMs, bucket.ToMs, Reads: bucket.ReadCount ?? 0, Writes: bucket.WriteCount ?? 0))
            .ToArray();
        return new IoHistogram(
            histogram.Kind,
            () =>
                [
                    .. bands.Select(band => new IoHistogramBucket
                    {
                        FromMs = band.FromMs,
                        ToMs = band.ToMs,
                        ReadCount = band.Reads,
                        WriteCount = band.Writes,
                    }),
                ]
        );
    }

    [return: System.Diagnostics.CodeAnalysis.NotNullIfNotNull(nameof(text))]
    private string? InternText(string? text) => text is null ? null : _texts.GetOrAdd(text, text);
}
