using System.Globalization;
using System.Xml;

namespace IoBench.Cli.Tests;

/// <summary>
/// Reads DiskSpd XML as Microsoft's Process-DiskSpd.ps1 does: the first line, sums of counts and bytes over all threads and targets,
/// standard deviations of IOPS, CPU usage, average latencies, and percentiles by their number as text. From the profile it reads the first
/// target.
/// </summary>
internal sealed class ProcessDiskSpdRules
{
    private readonly XmlDocument _document = new();

    public ProcessDiskSpdRules(string output)
    {
        // The script accepts only this first line as DiskSpd output.
        Assert.Equal("<Results>", output.Split('\n')[0].TrimEnd('\r'));
        _document.LoadXml(output);
        foreach (XmlNode bucket in Nodes("TimeSpan/Latency/Bucket"))
            Percentiles[bucket["Percentile"]!.InnerText] = (bucket["ReadMilliseconds"]?.InnerText, bucket["WriteMilliseconds"]?.InnerText);
    }

    public string System => First("System/ComputerName")!;
    public double TestTime => Number("TimeSpan/TestTimeSeconds");
    public double ReadCount => Sum("ReadCount");
    public double WriteCount => Sum("WriteCount");
    public double ReadBytes => Sum("ReadBytes");
    public double WriteBytes => Sum("WriteBytes");
    public double ReadIopsStdDev => Number("TimeSpan/Iops/ReadIopsStdDev");
    public double WriteIopsStdDev => Number("TimeSpan/Iops/WriteIopsStdDev");
    public string? Random => First("Profile/TimeSpans/TimeSpan/Targets/Target/Random");
    public string? StrideSize => First("Profile/TimeSpans/TimeSpan/Targets/Target/StrideSize");
    public string? DisableAffinity => First("Profile/TimeSpans/TimeSpan/DisableAffinity");
    public string? WriteRatio => First("Profile/TimeSpans/TimeSpan/Targets/Target/WriteRatio");
    public string? RequestCount => First("Profile/TimeSpans/TimeSpan/Targets/Target/RequestCount");
    public string? BlockSize => First("Profile/TimeSpans/TimeSpan/Targets/Target/BlockSize");
    public string? Path => First("TimeSpan/Thread/Target/Path");
    public string? ThreadCount => First("TimeSpan/ThreadCount");
    public double CpuUsage => Number("TimeSpan/CpuUtilization/Average/UsagePercent");
    public double CpuKernel => Number("TimeSpan/CpuUtilization/Average/KernelPercent");
    public double HotProcessor =>
        Nodes("TimeSpan/CpuUtilization/CPU/UsagePercent").Max(n => double.Parse(n.InnerText, CultureInfo.InvariantCulture));
    public double HotProcessorKernel =>
        Nodes("TimeSpan/CpuUtilization/CPU/KernelPercent").Max(n => double.Parse(n.InnerText, CultureInfo.InvariantCulture));
    public double? ReadAverage =>
        First("TimeSpan/Latency/AverageReadMilliseconds") is { } text ? double.Parse(text, CultureInfo.InvariantCulture) : null;
    public double? WriteAverage =>
        First("TimeSpan/Latency/AverageWriteMilliseconds") is { } text ? double.Parse(text, CultureInfo.InvariantCulture) : null;

    /// <summary>Key: text of the percentile, such as 25, 99.999, or 100.</summary>
    public Dictionary<string, (string? Read, string? Write)> Percentiles { get; } = [];

    private IEnumerable<XmlNode> Nodes(string path) => _document.SelectNodes("Results/" + path)!.Cast<XmlNode>();

    private string? First(string path) => Nodes(path).FirstOrDefault()?.InnerText;

    private double Number(string path) => double.Parse(First(path)!, CultureInfo.InvariantCulture);

    private double Sum(string name) =>
        Nodes("TimeSpan/Thread/Target/" + name).Sum(n => double.Parse(n.InnerText, CultureInfo.InvariantCulture));
}
