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
        if (Snapshot.IsUpdate)
            File.WriteAllText(path, page[..begin] + rows + page[end..]);
        else
            Assert.Equal(rows, page[begin..end]);
    }

    [Fact]
    public void List_view_begins_with_the_metric_catalog()
    {
        var path = Path.Combine(SampleFiles.RepositoryRoot, "IoBench.Format.ps1xml");
        var views = File.ReadAllText(path);
        var begin = views.IndexOf(
            "<ListItems>\n",
            views.IndexOf("<Name>IoBench.ResultList<", StringComparison.Ordinal),
            StringComparison.Ordinal
        );
        Assert.True(begin >= 0);
        begin += "<ListItems>\n".Length;
        var end = views.IndexOf("              <ListItem>\n                <Label>Targets</Label>", begin, StringComparison.Ordinal);
        Assert.True(end > begin);
        var items = string.Concat(MetricCatalog.All.Select(CreateListItem));
        if (Snapshot.IsUpdate)
            File.WriteAllText(path, views[..begin] + items + views[end..]);
        else
            Assert.Equal(items, views[begin..end]);
    }

    private static string CreateListItem(ResultMetric metric)
    {
        // Text can come from other programs, so the view escapes it.
        var method =
            metric.ValueType == typeof(string) || metric.ValueType == typeof(List<string>) ? "EscapeValue"
            : metric.ValueType == typeof(DateTimeOffset) ? "FormatTime"
            : metric.ValueType == typeof(double) ? "FormatValue"
            : null;
        var content = method is null
            ? $"                <PropertyName>{metric.Name}</PropertyName>\n"
            : $"                <Label>{metric.Name}</Label>\n"
                + $"                <ScriptBlock>[IoBench.PowerShell.ViewFormatter]::{method}($_.{metric.Name})</ScriptBlock>\n";
        return $"              <ListItem>\n{content}              </ListItem>\n";
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
