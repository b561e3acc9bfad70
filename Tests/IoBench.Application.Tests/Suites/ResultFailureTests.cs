using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public class ResultFailureTests
{
    [Fact]
    public void Error_of_a_result_has_separate_advice_also_after_saving()
    {
        var result = new IoTestResult { Status = IoResultStatus.Failed, Path = "/data/a" };
        result.SetError(
            IoBenchException.Failure(
                "IoBench.DiskFull",
                "/data/a: the volume is full.",
                "/data/a",
                advice: $"Free some space, or choose a smaller {OptionNames.FileSize}."
            )
        );
        foreach (
            var error in new[]
            {
                SuiteFailure.FindError(result, false)!,
                SuiteFailure.FindError(
                    JsonResultSerializer.DeserializeResult(
                        System.Text.Encoding.UTF8.GetBytes(JsonResultSerializer.SerializeToElement(result).GetRawText())
                    ),
                    false
                )!,
            }
        )
        {
            Assert.Equal(("IoBench.DiskFull", "/data/a: the volume is full."), (error.ErrorId, error.What.ToString()));
            Assert.Equal("Free some space, or choose a smaller -FileSize.", error.Advice!.Render(PowerShellSpelling.Default));
            Assert.Equal(
                "/data/a: the volume is full. Free some space, or choose a smaller --file-size.",
                error.Text.Render(CliSpelling.Default)
            );
        }
    }

    [Fact]
    public void Error_of_another_tool_is_shown_unchanged()
    {
        var error = SuiteFailure.FindError(
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
