using System.Globalization;
using System.Xml;

namespace IoBench.Cli.Tests;

/// <summary>
/// Reads DiskSpd XML as Microsoft's Process-DiskSpd.ps1 does: the first line, sums of counts and bytes over all threads and targets,
/// standard deviations of IOPS, CPU usage, average latencies, and percentiles by their number as text. From the profile it reads the first
/// target.
/// </summary>
internal sealed class ProcessDiskSpdParser
{
    private readonly XmlDocument _document = new();

    public ProcessDiskSpdParser(string output)
    {
        // The script accepts only this first line as DiskSpd output.
        Assert.Equal("<Results>", output.Split('\n')[0].TrimEnd('\r'));
        _document.LoadXml(output);
        foreach (XmlNode bucket in SelectNodes("TimeSpan/Latency/Bucket"))
            Percentiles[bucket["Percentile"]!.InnerText] = (bucket["ReadMilliseconds"]?.InnerText, bucket["WriteMilliseconds"]?.InnerText);
    }

    public string System => GetFirstText("System/ComputerName")!;
    public double TestTime => GetNumber("TimeSpan/TestTimeSeconds");
    public double ReadCount => GetSum("ReadCount");
    public double WriteCount => GetSum("WriteCount");
    public double ReadBytes => GetSum("ReadBytes");
    public double WriteBytes => GetSum("WriteBytes");
    public double ReadIopsStdDev => GetNumber("TimeSpan/Iops/ReadIopsStdDev");
    public double WriteIopsStdDev => GetNumber("TimeSpan/Iops/WriteIopsStdDev");
    public string? Random => GetFirstText("Profile/TimeSpans/TimeSpan/Targets/Target/Random");
    public string? StrideSize => GetFirstText("Profile/TimeSpans/TimeSpan/Targets/Target/StrideSize");
    public string? DisableAffinity => GetFirstText("Profile/TimeSpans/TimeSpan/DisableAffinity");
    public string? WriteRatio => GetFirstText("Profile/TimeSpans/TimeSpan/Targets/Target/WriteRatio");
    public string? RequestCount => GetFirstText("Profile/TimeSpans/TimeSpan/Targets/Target/RequestCount");
    public string? BlockSize => GetFirstText("Profile/TimeSpans/TimeSpan/Targets/Target/BlockSize");
    public string? Path => GetFirstText("TimeSpan/Thread/Target/Path");
    public string? ThreadCount => GetFirstText("TimeSpan/ThreadCount");
    public double CpuUsage => GetNumber("TimeSpan/CpuUtilization/Average/UsagePercent");
    public double CpuKernel => GetNumber("TimeSpan/CpuUtilization/Average/KernelPercent");
    public double HotProcessor =>
        SelectNodes("TimeSpan/CpuUtilization/CPU/UsagePercent").Max(n => double.Parse(n.InnerText, CultureInfo.InvariantCulture));
    public double HotProcessorKernel =>
        SelectNodes("TimeSpan/CpuUtilization/CPU/KernelPercent").Max(n => double.Parse(n.InnerText, CultureInfo.InvariantCulture));
    public double? ReadAverage =>
        GetFirstText("TimeSpan/Latency/AverageReadMilliseconds") is { } text ? double.Parse(text, CultureInfo.InvariantCulture) : null;
    public double? WriteAverage =>
        GetFirstText("TimeSpan/Latency/AverageWriteMilliseconds") is { } text ? double.Parse(text, CultureInfo.InvariantCulture) : null;

    /// <summary>Key: text of the percentile, such as 25, 99.999, or 100.</summary>
    public Dictionary<string, (string? Read, string? Write)> Percentiles { get; } = [];

    private IEnumerable<XmlNode> SelectNodes(string path) => _document.SelectNodes("Results/" + path)!.Cast<XmlNode>();

    private string? GetFirstText(string path) => SelectNodes(path).FirstOrDefault()?.InnerText;

    private double GetNumber(string path) => double.Parse(GetFirstText(path)!, CultureInfo.InvariantCulture);

    private double GetSum(string name) =>
        SelectNodes("TimeSpan/Thread/Target/" + name).Sum(n => double.Parse(n.InnerText, CultureInfo.InvariantCulture));
}
