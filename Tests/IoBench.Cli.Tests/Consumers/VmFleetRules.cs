using System.Globalization;
using System.Xml;

namespace IoBench.Cli.Tests;

/// <summary>
/// What VMFleet reads of DiskSpd's XML: counts and bytes of all threads over the summed time of all timespans; latency percentiles by the place of their
/// bucket, not by its name; average latencies, which may be missing; version 1.0 also the mean of the buckets' totals of IOPS.
/// </summary>
internal sealed class VmFleetRules
{
    private readonly XmlDocument _document = new();

    public VmFleetRules(string output) => _document.LoadXml(output);

    public double Time => Sum("Results/TimeSpan/TestTimeSeconds");
    public double Iops => (Sum("Results/TimeSpan/Thread/Target/ReadCount") + Sum("Results/TimeSpan/Thread/Target/WriteCount")) / Time;
    public double ReadIops => Sum("Results/TimeSpan/Thread/Target/ReadCount") / Time;
    public double WriteIops => Sum("Results/TimeSpan/Thread/Target/WriteCount") / Time;
    public double ReadBytesPerSecond => Sum("Results/TimeSpan/Thread/Target/ReadBytes") / Time;
    public double WriteBytesPerSecond => Sum("Results/TimeSpan/Thread/Target/WriteBytes") / Time;
    public double MeanOfBuckets =>
        Nodes("Results/TimeSpan/Iops/Bucket").Average(n => double.Parse(n.Attributes!["Total"]!.Value, CultureInfo.InvariantCulture));

    /// <summary>A latency percentile: the bucket at that place.</summary>
    public double? At(int place, string kind) =>
        Nodes("Results/TimeSpan/Latency/Bucket").ElementAt(place)[kind + "Milliseconds"] is { } value
            ? double.Parse(value.InnerText, CultureInfo.InvariantCulture)
            : null;

    /// <summary>An average latency; null when there was no such I/O.</summary>
    public double? Average(string kind) =>
        Nodes("Results/TimeSpan/Latency").Single()["Average" + kind + "Milliseconds"] is { } value
            ? double.Parse(value.InnerText, CultureInfo.InvariantCulture)
            : null;

    private IEnumerable<XmlNode> Nodes(string path) => _document.SelectNodes(path)!.Cast<XmlNode>();

    private double Sum(string path) => Nodes(path).Sum(n => double.Parse(n.InnerText, CultureInfo.InvariantCulture));
}
