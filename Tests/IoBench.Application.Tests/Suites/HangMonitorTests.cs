using IoBench.Engine;

namespace IoBench.Application.Tests;

public class HangMonitorTests
{
    [Fact]
    public void Hang_is_reported_at_1_5_15_s_each_minute_and_at_its_end()
    {
        var watch = new HangMonitor();
        var said = new List<(double At, string Code, string Text)>();
        for (var tenth = 0; tenth <= 1350; tenth++)
        {
            var seconds = tenth / 10.0;
            var waiting = seconds is >= 1 and < 125
                ? new PendingIO(IoRequestKind.Write, "T:\\x.dat", 1 << 20, 8192, seconds, 12, 32)
                : null;
            if (watch.Update(waiting) is { } warning)
                said.Add((seconds, warning.Code, warning.Text.ToString()));
        }
        Assert.Equal([1.0, 5.0, 15.0, 60.0, 120.0, 125.0], said.Select(line => line.At));
        Assert.Equal(
            "a write of 8 KB at offset 1,048,576 of T:\\x.dat has been pending for 1 s. 12 of 32 outstanding I/Os have been pending for 1 s or longer.",
            said[0].Text
        );
        Assert.DoesNotContain("833", said[1].Text, StringComparison.Ordinal);
        Assert.EndsWith("SQL Server reports this as error 833.", said[2].Text, StringComparison.Ordinal);
        Assert.Equal((WarningCodes.IoBack, "The pending I/O completed after about 124.9 s."), (said[^1].Code, said[^1].Text));
    }

    [Fact]
    public void Repeated_short_hangs_are_reported_at_most_three_times()
    {
        var watch = new HangMonitor();
        var said = 0;
        for (var i = 0; i < 50; i++)
        {
            said += watch.Update(new PendingIO(IoRequestKind.Read, "x", 0, 8192, 1.2, 1, 8))?.Code == WarningCodes.IoHangs ? 1 : 0;
            watch.Update(null);
        }
        Assert.Equal(3, said);
        Assert.NotNull(watch.Update(new PendingIO(IoRequestKind.Flush, "x", 0, 0, 5.1, 1, 8)));
    }

    [Fact]
    public void Other_IO_with_a_shorter_wait_is_another_hang()
    {
        var watch = new HangMonitor();
        Assert.NotNull(watch.Update(new PendingIO(IoRequestKind.Read, "x", 0, 8192, 6, 1, 8)));
        Assert.Equal(WarningCodes.IoBack, watch.Update(new PendingIO(IoRequestKind.Read, "x", 8192, 8192, 1.5, 1, 8))!.Code);
        Assert.Null(watch.Update(new PendingIO(IoRequestKind.Read, "x", 8192, 8192, 2, 1, 8)));
        Assert.NotNull(watch.Update(new PendingIO(IoRequestKind.Read, "x", 8192, 8192, 5, 1, 8)));
    }

    [Fact]
    public void Hanging_file_check_has_its_own_warning()
    {
        var watch = new HangMonitor();
        var said = new List<string>();
        for (var tenth = 0; tenth <= 200; tenth++)
            if (watch.UpdateFileCheck("T:\\x.dat", tenth / 10.0) is { } warning)
                said.Add(warning.Text.ToString());
        Assert.Equal([.. new[] { 1, 5, 15 }.Select(seconds => $"a check of T:\\x.dat has been pending for {seconds} s.")], said);
        Assert.Equal("The pending check completed after about 20 s.", watch.UpdateFileCheck("T:\\x.dat", null)!.Text.ToString());
        Assert.Null(new HangMonitor().UpdateFileCheck("T:\\x.dat", null));
    }

    [Fact]
    public void Hanging_file_call_and_its_return_are_reported()
    {
        var watch = new HangMonitor();
        Assert.Equal(
            "the closing of T:\\x.dat has been pending for 1 s.",
            watch.Update(new PendingCall(RunCallKind.Closing, "T:\\x.dat", 1.2))!.Text.ToString()
        );
        Assert.Null(watch.Update(new PendingCall(RunCallKind.Closing, "T:\\x.dat", 4.9)));
        Assert.Equal(
            "the closing of T:\\x.dat has been pending for 16 s.",
            watch.Update(new PendingCall(RunCallKind.Closing, "T:\\x.dat", 16.3))!.Text.ToString()
        );
        Assert.Equal("The pending closing completed after about 16.3 s.", watch.Update((PendingCall?)null)!.Text.ToString());
    }
}
