using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>A fleet that runs, in words that both fronts show.</summary>
public static class FleetText
{
    private const int Named = 3;

    /// <summary><c>waiting for sql11, 40 s</c>.</summary>
    public static string Waiting(IReadOnlyList<FleetHost> hosts, TimeSpan time)
    {
        ArgumentNullException.ThrowIfNull(hosts);
        return string.Create(CultureInfo.InvariantCulture, $"waiting for {NameList.Of(hosts, Named)}, {time.TotalSeconds:0} s");
    }

    /// <summary>All on one line: how many hosts are where, the sum, the slowest, the silent.</summary>
    public static string Line(FleetStatus status)
    {
        ArgumentNullException.ThrowIfNull(status);
        var phases = string.Join(", ", status.Phases.OrderBy(phase => phase.Key).Select(phase => string.Create(CultureInfo.InvariantCulture, $"{phase.Value} {phase.Key.ToString().ToLowerInvariant()}")));
        var sum = status.SumIops > 0 ? $"; {Figures.Grouped(status.SumIops)} IOPS, {Throughput.Text(status.SumMBps)}" : "";
        var worst = status.Worst.Count > 0 ? $"; lowest {string.Join(", ", status.Worst.Select(host => $"{host.Host.Name} {Figures.Grouped(host.Iops, 0, "?")}"))}" : "";
        var silent = status.Silent.Count > 0 ? string.Create(CultureInfo.InvariantCulture, $"; silent {string.Join(", ", status.Silent.Select(host => string.Create(CultureInfo.InvariantCulture, $"{host.Host.Name} {host.SilentSeconds:0} s")))}") : "";
        return $"{phases}{sum}{worst}{silent}";
    }
}
