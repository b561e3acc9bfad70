using System.Globalization;
using System.Xml.Linq;

namespace IoBench.Reports.Tests;

internal static class Chart
{
    public static readonly XNamespace C = "http://schemas.openxmlformats.org/drawingml/2006/chart";
    public static readonly XNamespace A = "http://schemas.openxmlformats.org/drawingml/2006/main";

    public static string Title(this XElement chart) =>
        (string)chart.Element(C + "chart")!.Element(C + "title")!.Descendants(A + "t").Single();

    public static List<string> Categories(this XElement chart) =>
        [.. chart.Descendants(C + "cat").First().Descendants(C + "v").Select(v => v.Value)];

    public static List<double> Values(this XElement chart, int series = 0) =>
        [
            .. chart
                .Descendants(C + "ser")
                .ElementAt(series)
                .Element(C + "val")!
                .Descendants(C + "v")
                .Select(v => double.Parse(v.Value, CultureInfo.InvariantCulture)),
        ];

    public static string ValueFormula(this XElement chart) => chart.Descendants(C + "val").First().Descendants(C + "f").Single().Value;
}
