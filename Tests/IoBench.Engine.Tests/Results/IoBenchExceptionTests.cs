namespace IoBench.Engine.Tests;

public class IoBenchExceptionTests
{
    [Fact]
    public void Message_joins_problem_and_advice()
    {
        var error = IoBenchException.Refused(
            ErrorIds.ForeignFile,
            $"/data/a {"{was}"} not made by IoBench.",
            "/data/a",
            $"Add {OptionNames.Force} to use it anyway."
        );
        Assert.Equal("/data/a {was} not made by IoBench.", error.What.ToString());
        Assert.Equal("Add Force to use it anyway.", error.Advice!.ToString());
        Assert.Equal("/data/a {was} not made by IoBench. Add Force to use it anyway.", error.Message);
        Assert.Equal(error.Message, error.Text.ToString());
        Assert.Equal([OptionNames.Force.Name], error.Options);
    }

    [Fact]
    public void Error_without_advice_keeps_all_sentences()
    {
        var error = IoBenchException.Failure("IoBench.Test", "The witness is lost. What it has noted so far holds.");
        Assert.Null(error.Advice);
        Assert.Equal("The witness is lost. What it has noted so far holds.", error.Message);
    }

    [Theory]
    [InlineData("Check the name.", "It does not exist. Check the name.")]
    [InlineData(null, "It does not exist.")]
    public void Null_advice_adds_nothing_to_the_message(string? advice, string message) =>
        Assert.Equal(message, IoBenchException.NotFound("IoBench.Test", "It does not exist.", advice: advice).Message);

    [Fact]
    public void Subject_before_an_error_keeps_its_advice()
    {
        var error = IoBenchException.Usage("IoBench.InvalidTime", "'x' is not a time.", "x", "Write 02:00.");
        var about = error.WithSubject($"sql{1}", "sql1");
        Assert.Equal(("sql1: 'x' is not a time.", "Write 02:00.", "sql1"), (about.What.ToString(), about.Advice!.ToString(), about.Target));
        Assert.Equal("Duration: 'x' is not a time. Write 02:00.", error.WithSubject(OptionNames.Duration).Message);
        Assert.Same(error, about.InnerException);
    }

    [Fact]
    public void Result_keeps_error_and_advice()
    {
        var result = new IoTestResult();
        result.SetError(IoBenchException.Failure("IoBench.IoFailed", "read of 8192 bytes failed.", advice: "Look at the system's log."));
        Assert.Equal(("IoBench.IoFailed", "read of 8192 bytes failed. Look at the system's log."), (result.ErrorId, result.ErrorMessage));
        Assert.Equal("Look at the system's log.", result.ErrorDetails!.Advice!.ToString());
    }
}
