using System.Reflection;

namespace IoBench.Engine.Tests;

public class MetricCatalogTests
{
    private static readonly PropertyInfo[] s_flat =
    [
        .. typeof(IoTestResult)
            .GetProperties()
            .Where(p => p.Name != nameof(IoTestResult.GroupMembers))
            .Where(p => p.CanWrite && IsFlat(p))
            .OrderBy(p => p.MetadataToken),
    ];

    private static bool IsFlat(PropertyInfo property)
    {
        var type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
        return type.IsPrimitive || type.IsEnum || type == typeof(string) || type == typeof(DateTimeOffset) || type == typeof(List<string>);
    }

    [Fact]
    public void Catalog_contains_every_flat_result_property_in_order() =>
        Assert.Equal(s_flat.Select(p => p.Name), MetricCatalog.All.Select(m => m.Name));

    public static TheoryData<string> Names => [.. s_flat.Select(p => p.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Metric_reads_and_sets_only_its_own_property(string name)
    {
        var metric = MetricCatalog.Get(name);
        var property = typeof(IoTestResult).GetProperty(name)!;
        Assert.Equal(Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType, metric.ValueType);
        Assert.Equal(new NullabilityInfoContext().Create(property).ReadState == NullabilityState.Nullable, metric.IsNullable);

        var result = new IoTestResult();
        var value = CreateValue(metric.ValueType);
        metric.Set!(result, value);
        Assert.Equal(value, property.GetValue(result));
        Assert.Equal(value, metric.Value(result));
        Assert.Equal(value is int or long or double ? Convert.ToDouble(value, null) : null, metric.Figure?.Invoke(result));
        // No other property has changed.
        var other = new IoTestResult();
        foreach (var row in MetricCatalog.All.Where(m => m.Name != name))
            Assert.Equal(row.Value(other), row.Value(result));
    }

    [Fact]
    public void Metrics_of_an_empty_result_are_null()
    {
        var empty = new IoTestResult();
        Assert.All(MetricCatalog.All.Where(m => m.IsNullable), m => Assert.Null(m.Value(empty)));
        Assert.All(MetricCatalog.Derived, m => Assert.Null(m.Value(empty)));
    }

    [Fact]
    public void Every_metric_has_a_meaning_a_unit_and_a_direction()
    {
        Assert.All(MetricCatalog.All.Concat(MetricCatalog.Derived), m => Assert.EndsWith(".", m.Meaning));
        Assert.All(
            MetricCatalog.All.Where(m => m.Name.EndsWith("Ms", StringComparison.Ordinal)),
            m => Assert.Equal(("ms", false), (m.Unit, m.IsHigherBetter))
        );
        Assert.All(
            MetricCatalog.All.Where(m =>
                m.Name.EndsWith("MBps", StringComparison.Ordinal) || m.Name.EndsWith("IOPS", StringComparison.Ordinal)
            ),
            m => Assert.True(m.IsHigherBetter)
        );
        Assert.Equal("AverageLatencyMs", MetricCatalog.Find("averagelatencyms")?.Name);
        Assert.Null(MetricCatalog.Find("NoSuchFigure"));
    }

    [Theory]
    [InlineData("IOPS", 193574.4, false, "193,574")]
    [InlineData("IOPS", 39.61, false, "39.6")]
    [InlineData("BandwidthMBps", 1512.34, false, "1,512.3")]
    [InlineData("AverageLatencyMs", 0.1649, false, "0.165")]
    [InlineData("AverageLatencyMs", 24.0, true, "24")]
    [InlineData("LittlesLawLatencyMs", 24.3456, true, "24.346")]
    [InlineData("MaxLatencyMs", 113060.0, false, "113,060")]
    [InlineData("CpuPercent", 41.3, false, "41")]
    public void Table_text_shows_the_measured_digits(string name, double value, bool inWholeMilliseconds, string text)
    {
        var result = new IoTestResult();
        var metric = MetricCatalog.Get(name);
        Assert.Null(metric.FormatForTable(result, inWholeMilliseconds));
        metric.Set!(result, value);
        Assert.Equal(text, metric.FormatForTable(result, inWholeMilliseconds));
    }

    [Theory]
    [InlineData("IOPS", 1.0, true)]
    [InlineData("IOPS", -1.0, false)]
    [InlineData("P99Ms", -1.0, true)]
    [InlineData("TargetIops", 1.0, null)]
    public void Change_is_better_in_the_direction_of_the_metric(string name, double change, bool? better) =>
        Assert.Equal(better, MetricCatalog.Get(name).IsBetter(change));

    private static object CreateValue(Type type) =>
        type == typeof(string) ? "text"
        : type == typeof(List<string>) ? new List<string> { "a warning" }
        : type == typeof(double) ? 1.5
        : type == typeof(int) ? 7
        : type == typeof(long) ? 7L
        : type == typeof(DateTimeOffset) ? new DateTimeOffset(2026, 11, 21, 5, 54, 24, TimeSpan.Zero)
        : Enum.GetValues(type).Cast<object>().Last();
}
