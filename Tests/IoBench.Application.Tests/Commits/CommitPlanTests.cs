using IoBench.Engine;

namespace IoBench.Application.Tests;

public class CommitPlanTests
{
    [Fact]
    public void Default_measures_four_methods_with_three_numbers_of_committers_in_less_than_a_minute()
    {
        var plan = CreatePlan();
        Assert.Equal(12, plan.Cases.Count);
        Assert.All(plan.Cases, what => Assert.Equal((4096, false, false), (what.WriteSize, what.Extends, what.IsMisaligned)));
        Assert.Equal([1, 8, 32], plan.Cases.Select(what => what.Committers).Distinct());
        Assert.True(plan.EstimatedTime < TimeSpan.FromMinutes(1));
        Assert.False(plan.Extends);
    }

    [Fact]
    public void Options_multiply_the_cases()
    {
        var plan = CreatePlan(
            ("WriteSize", "60KB,512,4KB"),
            ("Committers", "4,1,4"),
            ("Extending", true),
            ("Misaligned", true),
            ("Duration", "10s")
        );
        Assert.Equal(3 * 2 * 2 * 2 * 4, plan.Cases.Count);
        Assert.Equal([512, 4096, 60 << 10], plan.Cases.Select(what => what.WriteSize).Distinct());
        Assert.Equal([1, 4], plan.Cases.Select(what => what.Committers).Distinct());
        Assert.Equal(TimeSpan.FromSeconds(10), plan.Duration);
        Assert.True(plan.Extends);
    }

    [Theory]
    [InlineData("WriteSize", "0")]
    [InlineData("WriteSize", "1000")]
    [InlineData("WriteSize", "4MB")]
    [InlineData("FileSize", "100KB")]
    [InlineData("Committers", "257")]
    public void Invalid_values_are_refused(string option, string value) =>
        Assert.StartsWith(
            "IoBench.Invalid",
            Assert.Throws<IoBenchException>(() => CreatePlan((option, value))).ErrorId,
            StringComparison.Ordinal
        );

    [Fact]
    public void Other_files_and_devices_have_no_switch()
    {
        var settings = CommitPlan.CreateSettings(new OptionValues(OptionTables.Commit));
        Assert.Contains(OptionNames.OverwriteFile, settings.MissingSwitches);
        Assert.Contains(OptionNames.EraseDevice, settings.MissingSwitches);
        Assert.False(settings.RemoveTestFile);
    }

    private static CommitPlan CreatePlan(params (string Name, object Value)[] options)
    {
        var values = new OptionValues(OptionTables.Commit);
        foreach (var (name, value) in options)
            values.Set(name, value);
        return CommitPlan.Create("/data/c.dat", values);
    }
}
