using System.Globalization;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace IoBench.Reports.Tests;

/// <summary>Finds faults that make Excel report a damaged workbook and that the validator of the Open XML SDK does not find.</summary>
internal static partial class ExcelLimits
{
    private const double WidestColumn = 255,
        HighestRow = 409.5;
    private const int LongestSheetName = 31,
        LongestHeading = 255,
        LongestText = 32_767,
        MostSeries = 255;

    public static List<string> Faults(Workbook book)
    {
        var faults = new List<string>();
        var tables = new List<XElement>();
        foreach (var name in book.Entries().Where(entry => entry.EndsWith(".xml", StringComparison.Ordinal)))
        {
            var part = book.Part(name);
            var found = name switch
            {
                _ when name.StartsWith("xl/worksheets/sheet", StringComparison.Ordinal) => Sheet(part),
                _ when name.StartsWith("xl/charts/chart", StringComparison.Ordinal) => ChartPart(part),
                _ when name.StartsWith("xl/drawings/drawing", StringComparison.Ordinal) => Twice(
                    "drawing id",
                    Of(part, "cNvPr").Select(item => Text(item, "id"))
                ),
                "xl/styles.xml" => Of(part, "numFmt")
                    .Select(item => Text(item, "formatCode"))
                    .Where(code => !IsFormat(code))
                    .Select(code => $"number format {code}"),
                "xl/workbook.xml" => Names(part),
                _ => [],
            };
            faults.AddRange(found.Select(fault => $"{name}: {fault}"));
            if (name.StartsWith("xl/tables/table", StringComparison.Ordinal))
                tables.Add(part);
        }
        faults.AddRange(Twice("table", tables.Select(table => Text(table, "displayName"))));
        faults.AddRange(Twice("table id", tables.Select(table => Text(table, "id"))));
        faults.AddRange(
            tables
                .Select(table => Text(table, "displayName"))
                .Where(name => !TableName().IsMatch(name) || CellName().IsMatch(name))
                .Select(name => $"table name {name}")
        );
        faults.AddRange(tables.SelectMany(table => Twice("heading", Of(table, "tableColumn").Select(column => Text(column, "name")))));
        faults.AddRange(
            tables
                .SelectMany(table => Of(table, "tableColumn"))
                .Select(column => Text(column, "name"))
                .Where(name => name.Length is 0 or > LongestHeading)
                .Select(name => $"heading {name}")
        );
        return faults;
    }

    /// <summary>
    /// True if the number format means the same in every Excel: other characters are quoted, escaped, or used as the width of a space.
    /// </summary>
    public static bool IsFormat(string code) => code.Split(';').Length <= 4 && FormatSigns().IsMatch(QuotedText().Replace(code, ""));

    private static IEnumerable<string> Sheet(XElement sheet)
    {
        var merged = Of(sheet, "mergeCell").Select(item => Area.Of(Text(item, "ref"))).ToList();
        for (var one = 0; one < merged.Count; one++)
        {
            if (merged[one] is { } area && (area.Left, area.Top) == (area.Right, area.Bottom))
                yield return $"merged alone {area}";
            for (var other = 0; other < one; other++)
            {
                if (merged[one].Touches(merged[other]))
                    yield return $"merged twice {merged[one]} and {merged[other]}";
            }
        }
        foreach (var width in Of(sheet, "col").Select(column => Number(column, "width")).Where(width => width is <= 0 or > WidestColumn))
            yield return $"width {width}";
        foreach (
            var height in Of(sheet, "row")
                .Where(row => row.Attribute("ht") is not null)
                .Select(row => Number(row, "ht"))
                .Where(height => height is < 0 or > HighestRow)
        )
            yield return $"height {height}";
        foreach (var text in Of(sheet, "t").Where(text => text.Value.Length > LongestText))
            yield return $"text of {text.Value.Length} characters";
        // A formula needs its value, because viewers that do not calculate would show nothing.
        foreach (var formula in Of(sheet, "f").Where(formula => formula.Parent!.Elements().All(item => item.Name.LocalName != "v")))
            yield return $"formula without a value {formula.Value}";
        foreach (
            var range in Of(sheet, "conditionalFormatting")
                .SelectMany(item => Text(item, "sqref").Split(' '))
                .Where(range => !RangeName().IsMatch(range))
        )
            yield return $"conditional format of {range}";
    }

    private static IEnumerable<string> ChartPart(XElement chart)
    {
        var series = Of(chart, "ser").ToList();
        if (series.Count > MostSeries)
            yield return $"{series.Count} series";
        foreach (var twice in Twice("series", series.Select(one => Text(one.Element(Chart.C + "idx")!, "val"))))
            yield return twice;
        foreach (var reference in Of(chart, "strRef").Concat(Of(chart, "numRef")))
        {
            var count = (int)Number(Of(reference, "ptCount").Single(), "val");
            var area = Area.Of(reference.Element(Chart.C + "f")!.Value.Split('!')[1].Replace("$", "", StringComparison.Ordinal));
            if (count != (area.Right - area.Left + 1) * (area.Bottom - area.Top + 1))
                yield return $"{area} has {count} values kept";
        }
        // The extension list must be the last element, or Excel repairs the chart.
        foreach (
            var extension in Of(chart, "extLst")
                .Where(item => item.ElementsAfterSelf().Any() || item.Elements().Any(inner => inner.Attribute("uri") is null))
        )
            yield return $"extension in {extension.Parent!.Name.LocalName}";
        foreach (var labels in Of(chart, "dLbls"))
        {
            foreach (
                var twice in Twice("label", labels.Elements(Chart.C + "dLbl").Select(label => Text(label.Element(Chart.C + "idx")!, "val")))
            )
                yield return twice;
        }
    }

    private static IEnumerable<string> Names(XElement workbook)
    {
        var sheets = Of(workbook, "sheet").Select(sheet => Text(sheet, "name")).ToList();
        foreach (
            var name in sheets.Where(name =>
                name.Length is 0 or > LongestSheetName
                || name.IndexOfAny(['[', ']', ':', '*', '?', '/', '\\']) >= 0
                || name[0] == '\''
                || name[^1] == '\''
            )
        )
            yield return $"sheet {name}";
        foreach (var twice in Twice("sheet", sheets))
            yield return twice;
        foreach (var name in Of(workbook, "definedName").Where(name => !DefinedName().IsMatch(Text(name, "name"))))
            yield return $"defined name {Text(name, "name")}";
        foreach (
            var twice in Twice(
                "defined name",
                Of(workbook, "definedName").Select(name => $"{Text(name, "name")} of sheet {Text(name, "localSheetId")}")
            )
        )
            yield return twice;
    }

    private static IEnumerable<string> Twice(string what, IEnumerable<string> names) =>
        names
            .GroupBy(name => name, StringComparer.OrdinalIgnoreCase)
            .Where(group => group.Count() > 1)
            .Select(group => $"{what} {group.Key} twice");

    private static IEnumerable<XElement> Of(XElement part, string name) => part.Descendants().Where(item => item.Name.LocalName == name);

    private static string Text(XElement item, string attribute) => (string?)item.Attribute(attribute) ?? "";

    private static double Number(XElement item, string attribute) => double.Parse(Text(item, attribute), CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^[A-Z]{1,3}\d{1,7}(:[A-Z]{1,3}\d{1,7})?$")]
    private static partial Regex RangeName();

    [GeneratedRegex(@"^[A-Za-z_][A-Za-z0-9_.]*$")]
    private static partial Regex TableName();

    [GeneratedRegex(@"^([A-Za-z]{1,3}\d+|[Rr]\d*[Cc]\d*|[RrCc])$")]
    private static partial Regex CellName();

    [GeneratedRegex(@"^(_xlnm\.)?[A-Za-z_][A-Za-z0-9_.]*$")]
    private static partial Regex DefinedName();

    [GeneratedRegex("\"[^\"]*\"|\\\\.|_.|\\[(>=?|<=?|=)[0-9.]+\\]|General")]
    private static partial Regex QuotedText();

    [GeneratedRegex(@"^[0#?,.;%+\- ]*$")]
    private static partial Regex FormatSigns();

    private sealed record Area(int Left, int Top, int Right, int Bottom)
    {
        public static Area Of(string reference)
        {
            var ends = reference.Split(':').Select(Cell).ToList();
            return new(ends[0].Column, ends[0].Row, ends[^1].Column, ends[^1].Row);
        }

        public bool Touches(Area other) => Left <= other.Right && other.Left <= Right && Top <= other.Bottom && other.Top <= Bottom;

        private static (int Column, int Row) Cell(string cell)
        {
            var letters = cell.TakeWhile(char.IsAsciiLetter).Count();
            return (
                cell[..letters].Aggregate(0, (sum, letter) => sum * 26 + letter - 'A' + 1),
                int.Parse(cell[letters..], CultureInfo.InvariantCulture)
            );
        }
    }
}
