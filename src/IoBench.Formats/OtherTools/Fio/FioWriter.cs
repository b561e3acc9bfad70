using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Writes one document of fio's JSON with a job per result (json+ if a result has a histogram).</summary>
public static class FioWriter
{
    /// <summary>fio version whose JSON layout is written: the first version with the start time of each job.</summary>
    private const string Version = "3.36";

    private const int MaxDevices = 64;

    public static void Write(TextWriter writer, IEnumerable<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        var json = new FioJsonWriter(writer);
        var devices = new List<string>();
        var count = 0;
        json.BeginObject();
        foreach (var result in results)
        {
            if (count == 0)
                WriteHeader(json, result);
            FioJobWriter.WriteJob(json, result, count++);
            if (result.Device is { Length: > 0 } device && devices.Count < MaxDevices && !devices.Contains(device))
                devices.Add(device);
        }
        if (count == 0)
            WriteHeader(json, null);
        json.EndArray();
        if (devices.Count > 0)
            WriteDevices(json, devices);
        json.EndObject();
        writer.Write('\n');
    }

    private static void WriteHeader(FioJsonWriter json, IoTestResult? first)
    {
        var version = first is { Source: FioFormat.Source, ToolVersion: { } own } ? own : Version;
        json.WriteText("fio version", "fio-" + version);
        if (first?.StartTime is { } start)
        {
            var end = start.ToUniversalTime().AddSeconds(Math.Clamp(first.DurationSeconds ?? 0, 0, 1e9));
            json.WriteInteger("timestamp", end.ToUnixTimeSeconds());
            json.WriteInteger("timestamp_ms", end.ToUnixTimeMilliseconds());
            json.WriteText("time", end.ToString("ddd MMM d HH:mm:ss yyyy", System.Globalization.CultureInfo.InvariantCulture));
        }
        json.BeginObject("global options");
        json.EndObject();
        json.BeginArray("jobs");
    }

    private static void WriteDevices(FioJsonWriter json, List<string> devices)
    {
        json.BeginArray("disk_util");
        foreach (var device in devices)
        {
            json.BeginObject();
            json.WriteText("name", device);
            json.EndObject();
        }
        json.EndArray();
    }
}
