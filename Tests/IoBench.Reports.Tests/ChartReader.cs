using System.Globalization;
using System.Xml.Linq;

namespace IoBench.Reports.Tests;

internal static class ChartReader
{
    public static readonly XNamespace ChartNs = "http://schemas.openxmlformats.org/drawingml/2006/chart";
    public static readonly XNamespace DrawingNs = "http://schemas.openxmlformats.org/drawingml/2006/main";

    public static string GetTitle(this XElement chart) =>
        (string)chart.Element(ChartNs + "chart")!.Element(ChartNs + "title")!.Descendants(DrawingNs + "t").Single();

    public static List<string> GetCategories(this XElement chart) =>
        [.. chart.Descendants(ChartNs + "cat").First().Descendants(ChartNs + "v").Select(v => v.Value)];

    public static List<double> GetValues(this XElement chart, int series = 0) =>
        [
            .. chart
                .Descendants(ChartNs + "ser")
                .ElementAt(series)
                .Element(ChartNs + "val")!
                .Descendants(ChartNs + "v")
                .Select(v => double.Parse(v.Value, CultureInfo.InvariantCulture)),
        ];

    public static string GetValueFormula(this XElement chart) =>
        chart.Descendants(ChartNs + "val").First().Descendants(ChartNs + "f").Single().Value;
}
