namespace IoBench.Engine.Tests;

public class TimelineLengthTests
{
    private sealed record Beside(bool Keeps) : IoTestExtension
    {
        public override bool KeepsTimelineInterval => Keeps;

        public override IoTestExtension Copy() => this with { };
    }

    private static IoTestSpecification Day(IoTestExtension? extension) => new() { Duration = TimeSpan.FromDays(1), Extension = extension };

    [Fact]
    public void A_day_has_intervals_of_nine_seconds_whatever_is_kept_beside_it()
    {
        Assert.Equal((TimeSpan.FromSeconds(9), 9600), (TimelineLength.Interval(Day(null)), TimelineLength.Count(Day(null))));
        Assert.Equal(TimeSpan.FromSeconds(9), TimelineLength.Interval(Day(new Beside(Keeps: false))));
    }

    [Fact]
    public void Intervals_that_are_printed_keep_their_length() =>
        Assert.Equal(
            (TimeSpan.FromSeconds(1), 86_400),
            (TimelineLength.Interval(Day(new Beside(Keeps: true))), TimelineLength.Count(Day(new Beside(Keeps: true))))
        );
}
