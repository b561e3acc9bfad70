using System.Text.Json;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli.Tests;

public class DrillJsonTests
{
    [Fact]
    public void A_line_has_the_code_of_a_warning_beside_its_text()
    {
        var line = JsonDocument
            .Parse(
                DrillJson.Line(new DrillEvent(DrillEventKind.Warning, 2) { Warning = new IoWarning(WarningCodes.IoHangs, "an I/O hangs.") })
            )
            .RootElement;
        Assert.Equal(
            ("Warning", "IoBench.IoHangs", "an I/O hangs."),
            (line.GetProperty("event").GetString(), line.GetProperty("code").GetString(), line.GetProperty("text").GetString())
        );
    }

    [Fact]
    public void A_line_about_the_file_has_its_state_and_the_reason()
    {
        var line = JsonDocument
            .Parse(
                DrillJson.Line(
                    new DrillEvent(DrillEventKind.Target, 2) { Target = new DrillTargetChange(2, DrillTargetReason.Gone, "/data/a") }
                )
            )
            .RootElement;
        Assert.Equal("/data/a is gone", line.GetProperty("text").GetString());
        Assert.Equal(
            ("Gone", "Gone"),
            (line.GetProperty("target").GetProperty("state").GetString(), line.GetProperty("target").GetProperty("reason").GetString())
        );
    }
}
