using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public class ResultFailureTests
{
    [Fact]
    public void The_error_of_a_result_has_its_advice_apart_also_when_it_was_saved_in_between()
    {
        var result = new IoTestResult { Status = IoResultStatus.Failed, Path = "/data/a" };
        result.SetError(
            IoBenchException.Failure(
                "IoBench.DiskFull",
                "/data/a: the volume became full.",
                "/data/a",
                advice: $"Make room or choose a smaller {Opt.FileSize}."
            )
        );
        foreach (
            var error in new[]
            {
                ResultFailure.Of(result, false)!,
                ResultFailure.Of(
                    JsonResultText.Result(System.Text.Encoding.UTF8.GetBytes(JsonResultText.Element(result).GetRawText())),
                    false
                )!,
            }
        )
        {
            Assert.Equal(("IoBench.DiskFull", "/data/a: the volume became full."), (error.ErrorId, error.What.ToString()));
            Assert.Equal("Make room or choose a smaller -FileSize.", error.Advice!.Render(ModuleSpelling.Default));
            Assert.Equal(
                "/data/a: the volume became full. Make room or choose a smaller --file-size.",
                error.Text.Render(ProgramSpelling.Default)
            );
        }
    }

    [Fact]
    public void An_error_of_another_tool_is_its_words()
    {
        var error = ResultFailure.Of(
            new IoTestResult
            {
                Status = IoResultStatus.Failed,
                ErrorId = "IoBench.FioFailed",
                ErrorMessage = "It failed. Look {there}.",
            },
            false
        )!;
        Assert.Null(error.Advice);
        Assert.Equal("It failed. Look {there}.", error.Message);
    }
}
