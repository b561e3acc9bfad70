using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class ToggleDifferenceTests
{
    [Fact]
    public void Difference_has_the_interval_of_Student()
    {
        var found = ToggleDifference.Create(IoOperation.Read, [(1.2, 1.0), (1.3, 1.0), (1.1, 1.0)]);
        Assert.Equal(0.2, found.DifferenceMs, 9);
        // 4.303 * 0.1 / sqrt(3)
        Assert.Equal(0.2 - 0.2484, found.LowMs, 3);
        Assert.Equal(0.2 + 0.2484, found.HighMs, 3);
        Assert.Equal(ToggleOutcome.Inconclusive, found.Outcome);
        Assert.StartsWith("Inconclusive:", found.Verdict, StringComparison.Ordinal);
    }

    [Fact]
    public void Clear_difference_is_stated_with_its_sign()
    {
        var found = ToggleDifference.Create(IoOperation.Write, [(1.20, 1.0), (1.21, 1.0), (1.19, 1.0)]);
        Assert.Equal(ToggleOutcome.Higher, found.Outcome);
        Assert.StartsWith("A adds 0.2 ms of average write latency", found.Verdict, StringComparison.Ordinal);
        Assert.Equal(ToggleOutcome.Lower, ToggleDifference.Create(IoOperation.Write, [(1.0, 1.20), (1.0, 1.21), (1.0, 1.19)]).Outcome);
    }

    [Fact]
    public void Narrow_interval_around_zero_is_no_detectable_change()
    {
        var found = ToggleDifference.Create(IoOperation.Read, [(1.001, 1.0), (0.999, 1.0), (1.0, 1.0)]);
        Assert.Equal(ToggleOutcome.NoDetectableChange, found.Outcome);
        Assert.True(found.IsPrecise);
    }

    [Fact]
    public void Equal_states_differ_in_about_5_percent_of_comparisons()
    {
        var random = new Random(3);
        var differs = 0;
        for (var i = 0; i < 2000; i++)
        {
            var blocks = Enumerable.Range(0, 4).Select(_ => (1 + Noise(), 1 + Noise())).ToList();
            if (ToggleDifference.Create(IoOperation.Read, blocks).Outcome is ToggleOutcome.Higher or ToggleOutcome.Lower)
                differs++;
        }
        Assert.InRange(differs, 60, 140);

        double Noise() => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble()) * 0.1;
    }
}
