namespace IoBench.Engine.Tests;

public class IoBenchExceptionTests
{
    [Fact]
    public void What_happened_and_what_to_do_are_apart_and_the_message_is_both()
    {
        var error = IoBenchException.Refused(
            ErrorIds.ForeignFile,
            $"/data/a {"{was}"} not made by IoBench.",
            "/data/a",
            $"Add {Opt.Force} to use it anyway."
        );
        Assert.Equal("/data/a {was} not made by IoBench.", error.What.ToString());
        Assert.Equal("Add Force to use it anyway.", error.Advice!.ToString());
        Assert.Equal("/data/a {was} not made by IoBench. Add Force to use it anyway.", error.Message);
        Assert.Equal(error.Message, error.Text.ToString());
        Assert.Equal([Opt.Force.Name], error.Options);
    }

    [Fact]
    public void Several_sentences_without_advice_stay_together()
    {
        var error = IoBenchException.Failure("IoBench.Test", "The witness is lost. What it has noted so far holds.");
        Assert.Null(error.Advice);
        Assert.Equal("The witness is lost. What it has noted so far holds.", error.Message);
    }

    [Theory]
    [InlineData("Check the name.", "It is not there. Check the name.")]
    [InlineData(null, "It is not there.")]
    public void A_text_that_is_not_there_is_no_advice(string? advice, string message) =>
        Assert.Equal(message, IoBenchException.NotFound("IoBench.Test", "It is not there.", advice: advice).Message);

    [Fact]
    public void What_stands_in_front_of_an_error_leaves_its_advice_as_it_is()
    {
        var error = IoBenchException.Usage("IoBench.InvalidTime", "'x' is not a time.", "x", "Write 02:00.");
        var about = error.About($"sql{1}", "sql1");
        Assert.Equal(("sql1: 'x' is not a time.", "Write 02:00.", "sql1"), (about.What.ToString(), about.Advice!.ToString(), about.Target));
        Assert.Equal("Duration: 'x' is not a time. Write 02:00.", error.About(Opt.Duration).Message);
        Assert.Same(error, about.InnerException);
    }

    [Fact]
    public void A_result_keeps_its_error_with_the_advice()
    {
        var result = new IoTestResult();
        result.SetError(IoBenchException.Failure("IoBench.IoFailed", "read of 8192 bytes failed.", advice: "Look at the system's log."));
        Assert.Equal(("IoBench.IoFailed", "read of 8192 bytes failed. Look at the system's log."), (result.ErrorId, result.ErrorMessage));
        Assert.Equal("Look at the system's log.", result.ErrorDetails!.Advice!.ToString());
    }
}
