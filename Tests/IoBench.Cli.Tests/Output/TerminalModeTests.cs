using System.Globalization;
using System.Text;
using System.Text.Json;

namespace IoBench.Cli.Tests;

public class TerminalModeTests
{
    private const uint ProcessedOutput = 1,
        WrapAtEndOfLine = 2,
        VirtualTerminalProcessing = 4;

    [InProcessFact]
    public void Escape_sequences_are_enabled_and_the_mode_is_restored()
    {
        var console = new FakeConsoleMode { Mode = ProcessedOutput | WrapAtEndOfLine };
        using (var mode = new TerminalMode(console.GetMode, console.SetMode))
        {
            Assert.True(mode.HasEscapeSequences);
            Assert.Equal(ProcessedOutput | WrapAtEndOfLine | VirtualTerminalProcessing, console.Mode);
        }
        Assert.Equal(ProcessedOutput | WrapAtEndOfLine, console.Mode);
    }

    [InProcessFact]
    public void Mode_is_unchanged_when_escape_sequences_are_on()
    {
        var console = new FakeConsoleMode { Mode = ProcessedOutput | VirtualTerminalProcessing };
        using (var mode = new TerminalMode(console.GetMode, console.SetMode))
            Assert.True(mode.HasEscapeSequences);
        Assert.All(console.RequestedModes, asked => Assert.Equal(ProcessedOutput | VirtualTerminalProcessing, asked));
    }

    [InProcessFact]
    public void Progress_line_uses_spaces_without_escape_sequences()
    {
        // Windows Server 2012 R2 and earlier.
        var console = new FakeConsoleMode { Mode = ProcessedOutput, SupportedFlags = ProcessedOutput | WrapAtEndOfLine };
        using var mode = new TerminalMode(console.GetMode, console.SetMode);
        Assert.False(mode.HasEscapeSequences);
        using var error = new StringWriter();
        var line = new ProgressLine(error, isTerminal: true, mode.HasEscapeSequences);
        line.Show("a longer line");
        line.Show("a line");
        line.Clear();
        var width = ProgressLine.GetTerminalWidth() - 1;
        Assert.DoesNotContain('\u001b', error.ToString());
        Assert.Equal(
            "\r" + "a longer line".PadRight(width) + "\r" + "a line".PadRight(width) + "\r" + new string(' ', width) + "\r",
            error.ToString()
        );
    }

    [InProcessFact]
    public void Mode_of_a_redirected_stream_is_not_changed()
    {
        var file = new FakeConsoleMode();
        using (var mode = new TerminalMode(file.GetMode, file.SetMode))
            Assert.True(mode.HasEscapeSequences);
        Assert.Empty(file.RequestedModes);
    }

    /// <summary>A click into the console window blocks all writers until a key is pressed.</summary>
    [InProcessFact]
    public async Task Blocked_console_does_not_delay_a_test()
    {
        const double held = 4;
        using var folder = new TestFolder();
        using var output = new StringWriter();
        using var error = new BlockingWriter("IOPS");
        using var console = new CliConsole(output, error, errorIsTerminal: true, canAsk: false);
        var run = Task.Run(() =>
            App.Run(
                [
                    "run",
                    folder.GetPath("held.dat"),
                    "--size",
                    "8MB",
                    "--threads",
                    "1",
                    "--qd",
                    "1",
                    "--duration",
                    "1",
                    "--warmup",
                    "0",
                    "--format",
                    "json",
                ],
                console
            )
        );
        Assert.True(error.Blocked.Wait(TimeSpan.FromMinutes(1)), "No figures came to the live line.");
        await Task.Delay(TimeSpan.FromSeconds(held));
        error.Release();
        Assert.True(await run.WaitAsync(TimeSpan.FromMinutes(1)) == 0, error.ToString());
        var result = JsonDocument.Parse(output.ToString()).RootElement[0];
        Assert.Equal("Complete", result.GetProperty("status").GetString());
        // The test ended while the console was blocked, without waiting for it.
        Assert.InRange(result.GetProperty("durationSeconds").GetDouble(), 0.9, held - 1);
        Assert.All(result.GetProperty("timeline").EnumerateArray(), point => Assert.True(point.GetProperty("iops").GetDouble() > 0));
    }

    private sealed class FakeConsoleMode
    {
        public uint? Mode { get; set; }

        public uint SupportedFlags { get; init; } = ProcessedOutput | WrapAtEndOfLine | VirtualTerminalProcessing;

        public List<uint> RequestedModes { get; } = [];

        public uint? GetMode() => Mode;

        public bool SetMode(uint mode)
        {
            RequestedModes.Add(mode);
            if ((mode & ~SupportedFlags) != 0)
                return false;
            Mode = mode;
            return true;
        }
    }

    /// <summary>Accepts text until a text contains the word, then blocks until <see cref="Release"/>.</summary>
    private sealed class BlockingWriter(string word) : StringWriter(CultureInfo.InvariantCulture)
    {
        private readonly ManualResetEventSlim _released = new();

        public ManualResetEventSlim Blocked { get; } = new();

        public override Encoding Encoding => Encoding.UTF8;

        public override void Write(string? value)
        {
            if (value?.Contains(word, StringComparison.Ordinal) == true && !Blocked.IsSet)
            {
                Blocked.Set();
                _released.Wait();
            }
            base.Write(value);
        }

        public void Release() => _released.Set();
    }
}
