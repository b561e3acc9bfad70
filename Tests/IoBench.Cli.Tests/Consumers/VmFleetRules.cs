using System.Globalization;
using System.Xml;

namespace IoBench.Cli.Tests;

/// <summary>
/// Reads DiskSpd XML as VMFleet does: counts and bytes of all threads over the summed time of all timespans, latency percentiles by the
/// position of their bucket (not by name), and average latencies, which can be missing. VMFleet 1.0 also reads the mean of the IOPS bucket
/// totals.
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

    public double? At(int place, string kind) =>
        Nodes("Results/TimeSpan/Latency/Bucket").ElementAt(place)[kind + "Milliseconds"] is { } value
            ? double.Parse(value.InnerText, CultureInfo.InvariantCulture)
            : null;

    /// <summary>An average latency; null if there was no such I/O.</summary>
    public double? Average(string kind) =>
        Nodes("Results/TimeSpan/Latency").Single()["Average" + kind + "Milliseconds"] is { } value
            ? double.Parse(value.InnerText, CultureInfo.InvariantCulture)
            : null;

    private IEnumerable<XmlNode> Nodes(string path) => _document.SelectNodes(path)!.Cast<XmlNode>();

    private double Sum(string path) => Nodes(path).Sum(n => double.Parse(n.InnerText, CultureInfo.InvariantCulture));
}
