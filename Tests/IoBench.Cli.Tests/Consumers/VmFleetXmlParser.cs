using System.Globalization;
using System.Xml;

namespace IoBench.Cli.Tests;

/// <summary>
/// Reads DiskSpd XML as VMFleet does: counts and bytes of all threads over the summed time of all timespans, latency percentiles by the
/// position of their bucket (not by name), and average latencies, which can be missing. VMFleet 1.0 also reads the mean of the IOPS bucket
/// totals.
/// </summary>
internal sealed class VmFleetXmlParser
{
    private readonly XmlDocument _document = new();

    public VmFleetXmlParser(string output) => _document.LoadXml(output);

    public double Time => GetSum("Results/TimeSpan/TestTimeSeconds");
    public double Iops => (GetSum("Results/TimeSpan/Thread/Target/ReadCount") + GetSum("Results/TimeSpan/Thread/Target/WriteCount")) / Time;
    public double ReadIops => GetSum("Results/TimeSpan/Thread/Target/ReadCount") / Time;
    public double WriteIops => GetSum("Results/TimeSpan/Thread/Target/WriteCount") / Time;
    public double ReadBytesPerSecond => GetSum("Results/TimeSpan/Thread/Target/ReadBytes") / Time;
    public double WriteBytesPerSecond => GetSum("Results/TimeSpan/Thread/Target/WriteBytes") / Time;
    public double MeanOfBuckets =>
        SelectNodes("Results/TimeSpan/Iops/Bucket").Average(n => double.Parse(n.Attributes!["Total"]!.Value, CultureInfo.InvariantCulture));

    public double? GetPercentile(int place, string kind) =>
        SelectNodes("Results/TimeSpan/Latency/Bucket").ElementAt(place)[kind + "Milliseconds"] is { } value
            ? double.Parse(value.InnerText, CultureInfo.InvariantCulture)
            : null;

    /// <summary>An average latency; null if there was no such I/O.</summary>
    public double? GetAverage(string kind) =>
        SelectNodes("Results/TimeSpan/Latency").Single()["Average" + kind + "Milliseconds"] is { } value
            ? double.Parse(value.InnerText, CultureInfo.InvariantCulture)
            : null;

    private IEnumerable<XmlNode> SelectNodes(string path) => _document.SelectNodes(path)!.Cast<XmlNode>();

    private double GetSum(string path) => SelectNodes(path).Sum(n => double.Parse(n.InnerText, CultureInfo.InvariantCulture));
}
