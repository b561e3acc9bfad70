using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdTextSystemWriter(LineWriter lines, DiskSpdOutputVersion form)
{
    internal void WriteSystem(IoTestResult result)
    {
        lines.WriteLine("System information:");
        lines.WriteLine();
        if (form == DiskSpdOutputVersion.Version23)
            Write23(result);
        else
            Write22(result);
    }

    private void Write22(IoTestResult result)
    {
        lines.WriteLine("\tcomputer name: " + result.ComputerName);
        lines.WriteLine("\tstart time: " + FormatStartTime(result));
        lines.WriteLine();
        foreach (var (name, count) in GetCounts(result))
            lines.WriteLine($"\t{name}:\t\t{count}");
        if (DiskSpdTopology.GetHeterogeneous(result) is { } heterogeneous)
            lines.WriteLine("\theterogeneous cores:\t" + heterogeneous);
        if (result.Host.GetValueOrDefault("active power scheme") is { } scheme)
        {
            lines.WriteLine();
            lines.WriteLine("\tactive power scheme:\t" + scheme);
        }
    }

    private void Write23(IoTestResult result)
    {
        WriteFact("computer name", result.ComputerName ?? "");
        WriteFact("processor name", DiskSpdTopology.GetProcessorName(result));
        WriteFact("start time", FormatStartTime(result));
        if (result.Host.GetValueOrDefault("active power scheme") is { } scheme)
            WriteFact("active power scheme", scheme);
        if (DiskSpdTopology.GetPageSize(result) is { } page)
            WriteFact("page size", DiskSpdValueFormat.FormatSize23(page));
        lines.WriteLine();
        foreach (var (name, count) in GetCounts(result))
            WriteFact(name, count);
        WriteFact("heterogeneous cores", DiskSpdTopology.GetHeterogeneous(result) ?? "n");
    }

    private void WriteFact(string name, string value) => lines.WriteLine("  " + (name + ":").PadRight(22) + value);

    private static string FormatStartTime(IoTestResult result) => result.StartTime is { } time ? DiskSpdValueFormat.FormatTime(time) : "";

    private static IEnumerable<(string Name, string Count)> GetCounts(IoTestResult result)
    {
        foreach (var name in DiskSpdTopology.CountNames)
        {
            if (DiskSpdTopology.GetCount(result, name) is { } count)
                yield return (name, count);
        }
    }
}
