using System.Globalization;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace IoBench.Reports.Tests;

/// <summary>Finds faults that make Excel report a damaged workbook and that the validator of the Open XML SDK does not find.</summary>
internal static partial class ExcelLimitChecker
{
    private const double MaxColumnWidth = 255,
        MaxRowHeight = 409.5;
    private const int MaxSheetNameLength = 31,
        MaxHeadingLength = 255,
        MaxTextLength = 32_767,
        MaxSeries = 255;

    public static List<string> FindFaults(Workbook book)
    {
        var faults = new List<string>();
        var tables = new List<XElement>();
        foreach (var name in book.GetEntries().Where(entry => entry.EndsWith(".xml", StringComparison.Ordinal)))
        {
            var part = book.GetPart(name);
            var found = name switch
            {
                _ when name.StartsWith("xl/worksheets/sheet", StringComparison.Ordinal) => CheckSheet(part),
                _ when name.StartsWith("xl/charts/chart", StringComparison.Ordinal) => CheckChart(part),
                _ when name.StartsWith("xl/drawings/drawing", StringComparison.Ordinal) => FindDuplicates(
                    "drawing id",
                    GetElements(part, "cNvPr").Select(item => GetAttribute(item, "id"))
                ),
                "xl/styles.xml" => GetElements(part, "numFmt")
                    .Select(item => GetAttribute(item, "formatCode"))
                    .Where(code => !IsValidNumberFormat(code))
                    .Select(code => $"number format {code}"),
                "xl/workbook.xml" => CheckNames(part),
                _ => [],
            };
            faults.AddRange(found.Select(fault => $"{name}: {fault}"));
            if (name.StartsWith("xl/tables/table", StringComparison.Ordinal))
                tables.Add(part);
        }
        faults.AddRange(FindDuplicates("table", tables.Select(table => GetAttribute(table, "displayName"))));
        faults.AddRange(FindDuplicates("table id", tables.Select(table => GetAttribute(table, "id"))));
        faults.AddRange(
            tables
                .Select(table => GetAttribute(table, "displayName"))
                .Where(name => !TableNameRegex().IsMatch(name) || CellNameRegex().IsMatch(name))
                .Select(name => $"table name {name}")
        );
        faults.AddRange(
            tables.SelectMany(table =>
                FindDuplicates("heading", GetElements(table, "tableColumn").Select(column => GetAttribute(column, "name")))
            )
        );
        faults.AddRange(
            tables
                .SelectMany(table => GetElements(table, "tableColumn"))
                .Select(column => GetAttribute(column, "name"))
                .Where(name => name.Length is 0 or > MaxHeadingLength)
                .Select(name => $"heading {name}")
        );
        return faults;
    }

    /// <summary>
    /// True if the number format means the same in every Excel: other characters are quoted, escaped, or used as the width of a space.
    /// </summary>
    public static bool IsValidNumberFormat(string code) =>
        code.Split(';').Length <= 4 && FormatSymbolsRegex().IsMatch(QuotedTextRegex().Replace(code, ""));

    private static IEnumerable<string> CheckSheet(XElement sheet)
    {
        var merged = GetElements(sheet, "mergeCell").Select(item => CellArea.ParseArea(GetAttribute(item, "ref"))).ToList();
        for (var one = 0; one < merged.Count; one++)
        {
            if (merged[one] is { } area && (area.Left, area.Top) == (area.Right, area.Bottom))
                yield return $"merged alone {area}";
            for (var other = 0; other < one; other++)
            {
                if (merged[one].Overlaps(merged[other]))
                    yield return $"merged twice {merged[one]} and {merged[other]}";
            }
        }
        foreach (
            var width in GetElements(sheet, "col")
                .Select(column => GetNumber(column, "width"))
                .Where(width => width is <= 0 or > MaxColumnWidth)
        )
            yield return $"width {width}";
        foreach (
            var height in GetElements(sheet, "row")
                .Where(row => row.Attribute("ht") is not null)
                .Select(row => GetNumber(row, "ht"))
                .Where(height => height is < 0 or > MaxRowHeight)
        )
            yield return $"height {height}";
        foreach (var text in GetElements(sheet, "t").Where(text => text.Value.Length > MaxTextLength))
            yield return $"text of {text.Value.Length} characters";
        // A formula needs its value, because viewers that do not calculate would show nothing.
        foreach (
            var formula in GetElements(sheet, "f").Where(formula => formula.Parent!.Elements().All(item => item.Name.LocalName != "v"))
        )
            yield return $"formula without a value {formula.Value}";
        foreach (
            var range in GetElements(sheet, "conditionalFormatting")
                .SelectMany(item => GetAttribute(item, "sqref").Split(' '))
                .Where(range => !RangeRegex().IsMatch(range))
        )
            yield return $"conditional format of {range}";
    }

    private static IEnumerable<string> CheckChart(XElement chart)
    {
        var series = GetElements(chart, "ser").ToList();
        if (series.Count > MaxSeries)
            yield return $"{series.Count} series";
        foreach (
            var twice in FindDuplicates("series", series.Select(one => GetAttribute(one.Element(ChartReader.ChartNs + "idx")!, "val")))
        )
            yield return twice;
        foreach (var reference in GetElements(chart, "strRef").Concat(GetElements(chart, "numRef")))
        {
            var count = (int)GetNumber(GetElements(reference, "ptCount").Single(), "val");
            var area = CellArea.ParseArea(
                reference.Element(ChartReader.ChartNs + "f")!.Value.Split('!')[1].Replace("$", "", StringComparison.Ordinal)
            );
            if (count != (area.Right - area.Left + 1) * (area.Bottom - area.Top + 1))
                yield return $"{area} has {count} values kept";
        }
        // The extension list must be the last element, or Excel repairs the chart.
        foreach (
            var extension in GetElements(chart, "extLst")
                .Where(item => item.ElementsAfterSelf().Any() || item.Elements().Any(inner => inner.Attribute("uri") is null))
        )
            yield return $"extension in {extension.Parent!.Name.LocalName}";
        foreach (var labels in GetElements(chart, "dLbls"))
        {
            foreach (
                var twice in FindDuplicates(
                    "label",
                    labels
                        .Elements(ChartReader.ChartNs + "dLbl")
                        .Select(label => GetAttribute(label.Element(ChartReader.ChartNs + "idx")!, "val"))
                )
            )
                yield return twice;
        }
    }

    private static IEnumerable<string> CheckNames(XElement workbook)
    {
        var sheets = GetElements(workbook, "sheet").Select(sheet => GetAttribute(sheet, "name")).ToList();
        foreach (
            var name in sheets.Where(name =>
                name.Length is 0 or > MaxSheetNameLength
                || name.IndexOfAny(['[', ']', ':', '*', '?', '/', '\\']) >= 0
                || name[0] == '\''
                || name[^1] == '\''
            )
        )
            yield return $"sheet {name}";
        foreach (var twice in FindDuplicates("sheet", sheets))
            yield return twice;
        foreach (var name in GetElements(workbook, "definedName").Where(name => !DefinedNameRegex().IsMatch(GetAttribute(name, "name"))))
            yield return $"defined name {GetAttribute(name, "name")}";
        foreach (
            var twice in FindDuplicates(
                "defined name",
                GetElements(workbook, "definedName")
                    .Select(name => $"{GetAttribute(name, "name")} of sheet {GetAttribute(name, "localSheetId")}")
            )
        )
            yield return twice;
    }

    private static IEnumerable<string> FindDuplicates(string what, IEnumerable<string> names) =>
        names
            .GroupBy(name => name, StringComparer.OrdinalIgnoreCase)
            .Where(group => group.Count() > 1)
            .Select(group => $"{what} {group.Key} twice");

    private static IEnumerable<XElement> GetElements(XElement part, string name) =>
        part.Descendants().Where(item => item.Name.LocalName == name);

    private static string GetAttribute(XElement item, string attribute) => (string?)item.Attribute(attribute) ?? "";

    private static double GetNumber(XElement item, string attribute) =>
        double.Parse(GetAttribute(item, attribute), CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^[A-Z]{1,3}\d{1,7}(:[A-Z]{1,3}\d{1,7})?$")]
    private static partial Regex RangeRegex();

    [GeneratedRegex(@"^[A-Za-z_][A-Za-z0-9_.]*$")]
    private static partial Regex TableNameRegex();

    [GeneratedRegex(@"^([A-Za-z]{1,3}\d+|[Rr]\d*[Cc]\d*|[RrCc])$")]
    private static partial Regex CellNameRegex();

    [GeneratedRegex(@"^(_xlnm\.)?[A-Za-z_][A-Za-z0-9_.]*$")]
    private static partial Regex DefinedNameRegex();

    [GeneratedRegex("\"[^\"]*\"|\\\\.|_.|\\[(>=?|<=?|=)[0-9.]+\\]|General")]
    private static partial Regex QuotedTextRegex();

    [GeneratedRegex(@"^[0#?,.;%+\- ]*$")]
    private static partial Regex FormatSymbolsRegex();

    private sealed record CellArea(int Left, int Top, int Right, int Bottom)
    {
        public static CellArea ParseArea(string reference)
        {
            var ends = reference.Split(':').Select(ParseCell).ToList();
            return new(ends[0].Column, ends[0].Row, ends[^1].Column, ends[^1].Row);
        }

        public bool Overlaps(CellArea other) => Left <= other.Right && other.Left <= Right && Top <= other.Bottom && other.Top <= Bottom;

        private static (int Column, int Row) ParseCell(string cell)
        {
            var letters = cell.TakeWhile(char.IsAsciiLetter).Count();
            return (
                cell[..letters].Aggregate(0, (sum, letter) => sum * 26 + letter - 'A' + 1),
                int.Parse(cell[letters..], CultureInfo.InvariantCulture)
            );
        }
    }
}
