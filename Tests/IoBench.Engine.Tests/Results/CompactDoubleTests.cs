namespace IoBench.Engine.Tests;

public class CompactDoubleTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(-0.0)]
    [InlineData(0.082)]
    [InlineData(double.MaxValue)]
    [InlineData(double.Epsilon)]
    [InlineData(double.PositiveInfinity)]
    [InlineData(double.NaN)]
    public void Value_is_preserved_bit_by_bit(double figure) =>
        Assert.Equal(BitConverter.DoubleToInt64Bits(figure), BitConverter.DoubleToInt64Bits(new CompactDouble(figure).Value!.Value));

    [Fact]
    public void Unset_value_is_null()
    {
        Assert.Null(default(CompactDouble).Value);
        Assert.Null(new CompactDouble(null).Value);
        Assert.Null(new IoTestResult().IOPS);
    }

    [Fact]
    public void Percentiles_are_created_once_from_the_values_of_the_result()
    {
        var made = 0;
        var result = new IoTestResult { P50Ms = 5 };
        result.SetPercentilesFactory(run =>
        {
            made++;
            return [new() { Percent = 50, TotalMs = run.P50Ms }];
        });

        Assert.Equal(0, made);
        Assert.Equal(5, Assert.Single(result.Percentiles).TotalMs);
        Assert.Same(result.Percentiles, result.Percentiles);
        Assert.Equal(1, made);
        result.Percentiles = [];
        Assert.Empty(result.Percentiles);
    }

    [Fact]
    public void Targets_and_specification_are_created_once_unless_set()
    {
        var made = 0;
        var result = new IoTestResult { IOPS = 5, TargetCount = 1 };
        result.SetTargetsFactory(run =>
        {
            made++;
            return
            [
                new()
                {
                    Path = "a",
                    Total = new() { IOPS = run.IOPS },
                },
            ];
        });
        result.SetSpecificationFactory(_ =>
        {
            made++;
            return new();
        });

        Assert.False(result.HasSeveralTargets());
        Assert.Null(result.GetStoredSpecification());
        Assert.Equal(0, made);
        Assert.Equal(5, result.Targets[0].Total.IOPS);
        Assert.Same(result.Targets, result.Targets);
        Assert.Same(result.Specification, result.Specification);
        Assert.NotNull(result.GetStoredSpecification());
        Assert.Equal(2, made);
        result.Specification = null;
        Assert.Null(result.Specification);
    }
}
