using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public class FleetWarningCollectorTests
{
    [Fact]
    public void Warning_of_all_hosts_is_reported_once()
    {
        var fleet = new SimulatedFleet();
        var warnings = new FleetWarningCollector(fleet);
        for (var host = 1; host <= 16; host++)
            warnings.AddWarning(
                new FleetHost { Name = $"sql{host}" },
                new MemberMessage
                {
                    State = MemberMessageKind.Warning,
                    ErrorId = "IoBench.Hang",
                    Text = $"an I/O hangs for {host} s",
                }
            );
        warnings.AddWarning(
            new FleetHost { Name = "sql3" },
            new MemberMessage
            {
                State = MemberMessageKind.Warning,
                ErrorId = "IoBench.Other",
                Text = "something else",
            }
        );
        warnings.FlushIfDue(1, 16);
        Assert.Empty(fleet.Warnings);
        warnings.FlushIfDue(1 + 2 * Clock.Second, 16);
        Assert.Equal(
            [("IoBench.Hang", "16 of 16 hosts: an I/O hangs for 1 s"), ("IoBench.Other", "sql3: something else")],
            fleet.Warnings.Select(warning => (warning.Code, warning.ToString()))
        );
    }

    [Fact]
    public void Different_texts_with_one_code_are_kept_unless_the_code_decides()
    {
        var fleet = new SimulatedFleet();
        var warnings = new FleetWarningCollector(fleet, isByCode: false);
        foreach (var (host, text) in new[] { ("sql1", "a hangs"), ("sql1", "b hangs"), ("sql2", "b hangs") })
            warnings.AddWarning(
                new FleetHost { Name = host },
                new MemberMessage
                {
                    State = MemberMessageKind.Warning,
                    ErrorId = "IoBench.Hang",
                    Text = text,
                }
            );
        warnings.Flush(3);
        Assert.Equal(["sql1: a hangs", "2 of 3 hosts: b hangs"], fleet.Warnings.Select(warning => warning.ToString()));
    }

    [Fact]
    public void Member_warning_uses_the_option_spelling_of_the_controller()
    {
        var fleet = new SimulatedFleet();
        var warnings = new FleetWarningCollector(fleet);
        var line = FleetMessageSerializer.Serialize(
            MemberMessage.Create(new IoWarning(WarningCodes.QuickLook, $"a quick look. Use {OptionNames.FileSize} for a larger file."))
        );
        Assert.Contains("--file-size", line, StringComparison.Ordinal);
        warnings.AddWarning(new FleetHost { Name = "sql1" }, FleetMessageSerializer.ParseMessage(line)!);
        warnings.Flush(1);
        var warning = Assert.Single(fleet.Warnings);
        Assert.Equal("sql1: a quick look. Use -FileSize for a larger file.", warning.Text.Render(PowerShellSpelling.Default));
        Assert.Equal("sql1: a quick look. Use --file-size for a larger file.", warning.Text.Render(CliSpelling.Default));
    }

    [Fact]
    public void Failure_message_has_separate_advice()
    {
        var error = IoBenchException.Refused(
            ErrorIds.ForeignFile,
            $"/data/a was not created by IoBench.",
            "/data/a",
            $"Add {OptionNames.Force} to use it anyway."
        );
        var message = FleetMessageSerializer.ParseMessage(FleetMessageSerializer.Serialize(MemberMessage.Create(error, 1)))!;
        Assert.Equal("/data/a was not created by IoBench. Add --force to use it anyway.", message.Text);
        var failure = new FleetFailure("sql1", "g/1", message.GetError());
        Assert.Equal("/data/a was not created by IoBench.", failure.What.ToString());
        Assert.Equal("Add -Force to use it anyway.", failure.Advice!.Render(PowerShellSpelling.Default));
        Assert.Equal("sql1: /data/a was not created by IoBench. Add --force to use it anyway.", failure.Render(CliSpelling.Default));
    }
}
