namespace IoBench.Engine.Tests;

public class TimelineLengthTests
{
    private sealed record StubExtension(bool KeepsInterval) : IoTestExtension
    {
        public override bool KeepsTimelineInterval => KeepsInterval;

        public override IoTestExtension Copy() => this with { };
    }

    private static IoTestSpecification CreateDayTest(IoTestExtension? extension) =>
        new() { Duration = TimeSpan.FromDays(1), Extension = extension };

    [Fact]
    public void Timeline_of_a_day_has_intervals_of_nine_seconds()
    {
        Assert.Equal(
            (TimeSpan.FromSeconds(9), 9600),
            (TimelineInterval.GetLength(CreateDayTest(null)), TimelineInterval.CountIntervals(CreateDayTest(null)))
        );
        Assert.Equal(TimeSpan.FromSeconds(9), TimelineInterval.GetLength(CreateDayTest(new StubExtension(KeepsInterval: false))));
    }

    [Fact]
    public void Intervals_keep_their_length_if_an_extension_requires_it() =>
        Assert.Equal(
            (TimeSpan.FromSeconds(1), 86_400),
            (
                TimelineInterval.GetLength(CreateDayTest(new StubExtension(KeepsInterval: true))),
                TimelineInterval.CountIntervals(CreateDayTest(new StubExtension(KeepsInterval: true)))
            )
        );
}
