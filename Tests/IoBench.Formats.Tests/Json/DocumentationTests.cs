using System.Collections;
using System.Text.Json;
using IoBench.Engine;
using IoBench.Tests;

namespace IoBench.Formats.Tests;

/// <summary>docs/formats.md names every field that the JSON can have.</summary>
public class DocumentationTests
{
    [Fact]
    public void Every_field_of_the_json_is_documented()
    {
        var page = File.ReadAllText(Path.Combine(Samples.Root, "docs", "formats.md"));
        var missing = Names(typeof(IoTestResult), []).Where(name => !page.Contains($"\n| {name} |", StringComparison.Ordinal)).Order(StringComparer.Ordinal).ToList();
        Assert.True(missing.Count == 0, "Not in the tables of docs/formats.md: " + string.Join(", ", missing));
    }

    /// <summary>Names of an object's properties that are written, and of those in it.</summary>
    private static HashSet<string> Names(Type type, HashSet<Type> seen)
    {
        var names = new HashSet<string>();
        if (!seen.Add(type))
            return names;
        foreach (var property in JsonResultOptions.Options.GetTypeInfo(type).Properties.Where(p => p.Get is not null))
        {
            names.Add(property.Name);
            var inner = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
            if (inner.IsGenericType && typeof(IList).IsAssignableFrom(inner))
                inner = inner.GetGenericArguments()[0];
            if (inner.Assembly == typeof(IoTestResult).Assembly && inner is { IsEnum: false, IsValueType: false })
                names.UnionWith(Names(inner, seen));
        }
        return names;
    }

    [Fact]
    public void Every_column_of_the_csv_is_documented()
    {
        var page = File.ReadAllText(Path.Combine(Samples.Root, "docs", "formats.md"));
        foreach (var column in CsvColumn.All)
            Assert.Contains($"\n| {JsonNamingPolicy.CamelCase.ConvertName(column.Name)} |", page, StringComparison.Ordinal);
    }
}
