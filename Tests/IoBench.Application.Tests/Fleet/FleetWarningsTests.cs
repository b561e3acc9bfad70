using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public class FleetWarningsTests
{
    [Fact]
    public void What_all_hosts_say_is_said_once()
    {
        var fleet = new PlayedFleet();
        var warnings = new FleetWarnings(fleet);
        for (var host = 1; host <= 16; host++)
            warnings.Take(
                new FleetHost { Name = $"sql{host}" },
                new FleetMessage
                {
                    State = FleetState.Warning,
                    ErrorId = "IoBench.Hang",
                    Text = $"an I/O hangs for {host} s",
                }
            );
        warnings.Take(
            new FleetHost { Name = "sql3" },
            new FleetMessage
            {
                State = FleetState.Warning,
                ErrorId = "IoBench.Other",
                Text = "something else",
            }
        );
        warnings.Tick(1, 16);
        Assert.Empty(fleet.Warnings);
        warnings.Tick(1 + 2 * Clock.Second, 16);
        Assert.Equal(
            [("IoBench.Hang", "16 of 16 hosts: an I/O hangs for 1 s"), ("IoBench.Other", "sql3: something else")],
            fleet.Warnings.Select(warning => (warning.Code, warning.ToString()))
        );
    }

    [Fact]
    public void A_member_leaves_the_spelling_of_options_to_whoever_shows_its_words()
    {
        var fleet = new PlayedFleet();
        var warnings = new FleetWarnings(fleet);
        var line = FleetLines.Write(
            FleetMessage.Of(new IoWarning(WarningCodes.QuickLook, $"a quick look. Use {Opt.FileSize} for a larger file."))
        );
        Assert.Contains("--file-size", line, StringComparison.Ordinal);
        warnings.Take(new FleetHost { Name = "sql1" }, FleetLines.ReadMessage(line)!);
        warnings.Flush(1);
        var warning = Assert.Single(fleet.Warnings);
        Assert.Equal("sql1: a quick look. Use -FileSize for a larger file.", warning.Text.Render(ModuleSpelling.Default));
        Assert.Equal("sql1: a quick look. Use --file-size for a larger file.", warning.Text.Render(ProgramSpelling.Default));
    }

    [Fact]
    public void A_failure_comes_with_its_advice_apart()
    {
        var error = IoBenchException.Refused(
            ErrorIds.ForeignFile,
            $"/data/a was not made by IoBench.",
            "/data/a",
            $"Add {Opt.Force} to use it anyway."
        );
        var message = FleetLines.ReadMessage(FleetLines.Write(FleetMessage.Of(error, 1)))!;
        Assert.Equal("/data/a was not made by IoBench. Add --force to use it anyway.", message.Text);
        var failure = new FleetFailure("sql1", "g/1", message.ErrorId!, message.Words()!, message.AdviceWords());
        Assert.Equal("/data/a was not made by IoBench.", failure.What.ToString());
        Assert.Equal("Add -Force to use it anyway.", failure.Advice!.Render(ModuleSpelling.Default));
        Assert.Equal("sql1: /data/a was not made by IoBench. Add --force to use it anyway.", failure.Render(ProgramSpelling.Default));
    }
}
