using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

public static class FleetProgressMessages
{
    private const int MaxNamedHosts = 3;

    /// <summary><c>waiting for sql11, 40 s</c>.</summary>
    public static string DescribeWaiting(IReadOnlyList<FleetHost> hosts, TimeSpan time)
    {
        ArgumentNullException.ThrowIfNull(hosts);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"waiting for {NumberFormat.List(hosts, MaxNamedHosts)}, {time.TotalSeconds:0} s"
        );
    }

    /// <summary><c>test 1 begins on 40 hosts</c>.</summary>
    public static string DescribeTestStart(int test, int hosts) =>
        $"test {NumberFormat.Integer(test)} begins on {NumberFormat.Pluralize(hosts, "host")}";
}
