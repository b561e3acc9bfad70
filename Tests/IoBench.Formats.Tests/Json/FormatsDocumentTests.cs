using System.Collections;
using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class FormatsDocumentTests
{
    [Fact]
    public void Every_JSON_field_is_documented()
    {
        var page = File.ReadAllText(Path.Combine(SampleFiles.RepositoryRoot, "docs", "reference", "formats.md"));
        var missing = GetFieldNames(typeof(IoTestResult), [])
            .Where(name => !page.Contains($"\n| {name} |", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal)
            .ToList();
        Assert.True(missing.Count == 0, "Not in the tables of docs/reference/formats.md: " + string.Join(", ", missing));
    }

    private static HashSet<string> GetFieldNames(Type type, HashSet<Type> seen)
    {
        var names = new HashSet<string>();
        if (!seen.Add(type))
            return names;
        foreach (var property in JsonResultOptions.Result.Options.GetTypeInfo(type).Properties.Where(p => p.Get is not null))
        {
            names.Add(property.Name);
            var inner = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
            if (inner.IsGenericType && typeof(IList).IsAssignableFrom(inner))
                inner = inner.GetGenericArguments()[0];
            if (inner.Assembly == typeof(IoTestResult).Assembly && inner is { IsEnum: false, IsValueType: false })
                names.UnionWith(GetFieldNames(inner, seen));
        }
        return names;
    }

    [Fact]
    public void Every_CSV_column_is_documented()
    {
        var page = File.ReadAllText(Path.Combine(SampleFiles.RepositoryRoot, "docs", "reference", "formats.md"));
        foreach (var column in CsvColumn.All)
            Assert.Contains($"\n| {JsonNamingPolicy.CamelCase.ConvertName(column.Name)} |", page, StringComparison.Ordinal);
    }

    /// <summary><c>IOBENCH_UPDATE=1</c> rewrites the table from the catalog.</summary>
    [Fact]
    public void Result_table_matches_the_metric_catalog()
    {
        var path = Path.Combine(SampleFiles.RepositoryRoot, "docs", "reference", "formats.md");
        var page = File.ReadAllText(path);
        const string heading = "### A result\n\n| name | value | meaning |\n|---|---|---|\n";
        var begin = page.IndexOf(heading, StringComparison.Ordinal) + heading.Length;
        var end = page.IndexOf("\n\n", begin, StringComparison.Ordinal) + 1;
        var rows = string.Concat(
            MetricCatalog.All.Select(m => $"| {JsonNamingPolicy.CamelCase.ConvertName(m.Name)} | {Describe(m)} | {m.Meaning} |\n")
        );
        if (Environment.GetEnvironmentVariable("IOBENCH_UPDATE") == "1")
            File.WriteAllText(path, page[..begin] + rows + page[end..]);
        else
            Assert.Equal(rows, page[begin..end]);
    }

    [Fact]
    public void List_view_has_every_property_in_catalog_order()
    {
        var views = System.Xml.Linq.XDocument.Load(Path.Combine(SampleFiles.RepositoryRoot, "IoBench.Format.ps1xml"));
        var names = views
            .Descendants("View")
            .Single(v => v.Element("Name")!.Value == "IoBench.ResultList")
            .Descendants("ListItem")
            // Text from other programs is shown by a script block, which escapes the text.
            .Select(item => item.Element("Label")?.Value ?? item.Element("PropertyName")!.Value);
        Assert.Equal(MetricCatalog.All.Select(m => m.Name), names.Take(MetricCatalog.All.Count));
    }

    private static string Describe(ResultMetric metric)
    {
        var words =
            metric.ValueType == typeof(string) ? "text"
            : metric.ValueType == typeof(List<string>) ? "list of text"
            : metric.ValueType == typeof(DateTimeOffset) ? "time"
            : metric.ValueType.IsEnum ? "word"
            : metric.ValueType == typeof(double) ? "number"
            : "whole number";
        return metric.IsNullable ? words + " or null" : words;
    }
}
