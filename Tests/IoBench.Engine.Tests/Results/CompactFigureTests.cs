namespace IoBench.Engine.Tests;

public class CompactFigureTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(-0.0)]
    [InlineData(0.082)]
    [InlineData(double.MaxValue)]
    [InlineData(double.Epsilon)]
    [InlineData(double.PositiveInfinity)]
    [InlineData(double.NaN)]
    public void A_figure_comes_back_bit_by_bit(double figure) =>
        Assert.Equal(BitConverter.DoubleToInt64Bits(figure), BitConverter.DoubleToInt64Bits(new CompactFigure(figure).Value!.Value));

    [Fact]
    public void What_was_not_set_is_unknown()
    {
        Assert.Null(default(CompactFigure).Value);
        Assert.Null(new CompactFigure(null).Value);
        Assert.Null(new IoTestResult().IOPS);
    }

    [Fact]
    public void Percentiles_are_made_once_of_the_results_own_figures()
    {
        var made = 0;
        var result = new IoTestResult { P50Ms = 5 };
        result.MakePercentilesWhenAsked(run =>
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
    public void Targets_and_specification_are_made_once_and_what_is_set_stays()
    {
        var made = 0;
        var result = new IoTestResult { IOPS = 5, TargetCount = 1 };
        result.MakeTargetsWhenAsked(run =>
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
        result.MakeSpecificationWhenAsked(_ =>
        {
            made++;
            return new();
        });

        Assert.False(result.HasSeveralTargets());
        Assert.Null(result.HeldSpecification());
        Assert.Equal(0, made);
        Assert.Equal(5, result.Targets[0].Total.IOPS);
        Assert.Same(result.Targets, result.Targets);
        Assert.Same(result.Specification, result.Specification);
        Assert.NotNull(result.HeldSpecification());
        Assert.Equal(2, made);
        result.Specification = null;
        Assert.Null(result.Specification);
    }
}
