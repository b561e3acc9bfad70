using System.Text.Json;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli.Tests;

public class DrillJsonTests
{
    [Fact]
    public void Warning_event_has_code_and_text()
    {
        var line = JsonDocument
            .Parse(
                AnalysisJson.SerializeEvent(
                    new DrillEvent(DrillEventKind.Warning, 2) { Warning = new IoWarning(WarningCodes.IoHangs, "an I/O hangs.") }
                )
            )
            .RootElement;
        Assert.Equal(
            ("Warning", "IoBench.IoHangs", "an I/O hangs."),
            (line.GetProperty("event").GetString(), line.GetProperty("code").GetString(), line.GetProperty("text").GetString())
        );
    }

    [Fact]
    public void Target_event_has_state_and_reason()
    {
        var line = JsonDocument
            .Parse(
                AnalysisJson.SerializeEvent(
                    new DrillEvent(DrillEventKind.Target, 2) { Target = new DrillTargetChange(2, DrillTargetReason.Gone, "/data/a") }
                )
            )
            .RootElement;
        Assert.Equal("/data/a is no longer available", line.GetProperty("text").GetString());
        Assert.Equal(
            ("Gone", "Gone"),
            (line.GetProperty("target").GetProperty("state").GetString(), line.GetProperty("target").GetProperty("reason").GetString())
        );
    }
}
