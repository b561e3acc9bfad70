using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public class DrillEventTests
{
    [Fact]
    public void Warning_event_keeps_its_code_and_uses_the_front_end_spelling()
    {
        var happened = new DrillEvent(DrillEventKind.Warning, 2)
        {
            Warning = new IoWarning(WarningCodes.IoHangs, $"an I/O hangs; see {OptionNames.TargetIops}."),
        };
        Assert.Equal((WarningCodes.IoHangs, "an I/O hangs; see TargetIops."), (happened.Code, happened.Text));
        Assert.Equal("an I/O hangs; see --target-iops.", happened.Words.Render(CliSpelling.Default));
        Assert.Equal("an I/O hangs; see -TargetIops.", happened.Words.Render(PowerShellSpelling.Default));
    }

    [Theory]
    [InlineData(DrillTargetReason.DoneAgain, DrillTargetState.Open, "I/Os complete again")]
    [InlineData(DrillTargetReason.Same, DrillTargetState.Open, "/data/{a} is the original test file again")]
    [InlineData(DrillTargetReason.Gone, DrillTargetState.Gone, "/data/{a} is no longer available")]
    [InlineData(DrillTargetReason.Unreachable, DrillTargetState.Gone, "holds more than it should")]
    [InlineData(
        DrillTargetReason.Unmarked,
        DrillTargetState.Foreign,
        "/data/{a} is a different file, without an ownership marker. IoBench does not write to this file"
    )]
    [InlineData(
        DrillTargetReason.OtherTestFile,
        DrillTargetState.Foreign,
        "/data/{a} is a different IoBench test file. IoBench does not write to this file"
    )]
    [InlineData(
        DrillTargetReason.OtherContent,
        DrillTargetState.Foreign,
        "/data/{a} holds more than it should. IoBench does not write to this file"
    )]
    [InlineData(
        DrillTargetReason.Proved,
        DrillTargetState.Reopened,
        "/data/{a} is available again. IoBench verified the contents and reopened the file"
    )]
    public void Target_change_reason_determines_state_and_text(DrillTargetReason reason, DrillTargetState state, string text)
    {
        var change = new DrillTargetChange(12.3, reason, "/data/{a}", "holds more than it should");
        Assert.Equal((state, text), (change.State, change.Text));
        Assert.Equal(text, new DrillEvent(DrillEventKind.Target, change.At) { Target = change }.Text);
        Assert.Equal("at 12.30 s: " + text, change.ToString());
    }

    [Fact]
    public void Each_event_kind_has_its_own_text()
    {
        var outage = new Outage(12.31, 4.87, OutageKind.Stall, 0);
        Assert.Equal("outage since 12.31 s", new DrillEvent(DrillEventKind.OutageBegan, 12.31) { Outage = outage }.Text);
        Assert.Equal(
            "outage at 12.31 s for 4.87 s: no I/O completed",
            new DrillEvent(DrillEventKind.OutageEnded, 17.18) { Outage = outage }.Text
        );
        Assert.Equal(
            "Load: 0.5 IOPS, 50% writes, on /data/a. Start the failover now.",
            new DrillEvent(DrillEventKind.Begin, 0) { Load = new DrillLoad(0.5, 50, "/data/a") }.Text
        );
        Assert.Null(new DrillEvent(DrillEventKind.Begin, 0) { Load = new DrillLoad(1, 0, "a") }.Code);
    }
}
