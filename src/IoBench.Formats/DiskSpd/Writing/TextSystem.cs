using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class TextSystem(LineWriter lines, DiskSpdForm form)
{
    internal void Write(IoTestResult result)
    {
        lines.Line("System information:");
        lines.Line();
        if (form == DiskSpdForm.Version23)
            Write23(result);
        else
            Write22(result);
    }

    private void Write22(IoTestResult result)
    {
        lines.Line("\tcomputer name: " + result.ComputerName);
        lines.Line("\tstart time: " + StartTime(result));
        lines.Line();
        foreach (var (name, count) in Counts(result))
            lines.Line($"\t{name}:\t\t{count}");
        if (Topology.Heterogeneous(result) is { } heterogeneous)
            lines.Line("\theterogeneous cores:\t" + heterogeneous);
        if (result.Host.GetValueOrDefault("active power scheme") is { } scheme)
        {
            lines.Line();
            lines.Line("\tactive power scheme:\t" + scheme);
        }
    }

    private void Write23(IoTestResult result)
    {
        Fact("computer name", result.ComputerName ?? "");
        Fact("processor name", Topology.ProcessorName(result));
        Fact("start time", StartTime(result));
        if (result.Host.GetValueOrDefault("active power scheme") is { } scheme)
            Fact("active power scheme", scheme);
        if (Topology.PageSize(result) is { } page)
            Fact("page size", DiskSpdSize.Format23(page));
        lines.Line();
        foreach (var (name, count) in Counts(result))
            Fact(name, count);
        Fact("heterogeneous cores", Topology.Heterogeneous(result) ?? "n");
    }

    private void Fact(string name, string value) => lines.Line("  " + (name + ":").PadRight(22) + value);

    private static string StartTime(IoTestResult result) => result.StartTime is { } time ? TimeText.Format(time) : "";

    private static IEnumerable<(string Name, string Count)> Counts(IoTestResult result)
    {
        foreach (var name in Topology.Names)
        {
            if (Topology.Count(result, name) is { } count)
                yield return (name, count);
        }
    }
}
