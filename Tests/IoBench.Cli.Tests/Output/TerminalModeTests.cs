using System.Globalization;
using System.Text;
using System.Text.Json;

namespace IoBench.Cli.Tests;

public class TerminalModeTests
{
    private const uint Processed = 1,
        Wrapped = 2,
        Escapes = 4;

    [InProcessFact]
    public void Escape_sequences_are_asked_for_and_the_console_is_put_back()
    {
        var console = new ModelConsole { Mode = Processed | Wrapped };
        using (var mode = new TerminalMode(console))
        {
            Assert.True(mode.TakesEscapes);
            Assert.Equal(Processed | Wrapped | Escapes, console.Mode);
        }
        Assert.Equal(Processed | Wrapped, console.Mode);
    }

    [InProcessFact]
    public void A_console_that_has_them_is_left_as_it_is()
    {
        var console = new ModelConsole { Mode = Processed | Escapes };
        using (var mode = new TerminalMode(console))
            Assert.True(mode.TakesEscapes);
        Assert.All(console.Asked, asked => Assert.Equal(Processed | Escapes, asked));
    }

    [InProcessFact]
    public void Where_they_are_refused_blanks_take_their_place()
    {
        // Windows Server 2012 R2 and earlier.
        using var mode = new TerminalMode(new ModelConsole { Mode = Processed, Knows = Processed | Wrapped });
        Assert.False(mode.TakesEscapes);
        using var error = new StringWriter();
        var line = new ProgressLine(error, isTerminal: true, mode.TakesEscapes);
        line.Show("a longer line");
        line.Show("a line");
        line.Clear();
        var width = ProgressLine.TerminalWidth() - 1;
        Assert.DoesNotContain('\u001b', error.ToString());
        Assert.Equal(
            "\r" + "a longer line".PadRight(width) + "\r" + "a line".PadRight(width) + "\r" + new string(' ', width) + "\r",
            error.ToString()
        );
    }

    [InProcessFact]
    public void What_is_no_console_is_asked_for_nothing()
    {
        var file = new ModelConsole();
        using (var mode = new TerminalMode(file))
            Assert.True(mode.TakesEscapes);
        Assert.Empty(file.Asked);
    }

    /// <summary>A click into the console window blocks all writers until a key is pressed.</summary>
    [InProcessFact]
    public async Task A_console_that_takes_no_more_text_does_not_hold_a_test()
    {
        const double held = 4;
        using var folder = new TestFolder();
        using var output = new StringWriter();
        using var error = new HeldWriter("IOPS");
        using var console = new CliConsole(output, error, errorIsTerminal: true, canAsk: false);
        var run = Task.Run(() =>
            App.Run(
                [
                    "run",
                    folder.File("held.dat"),
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
        Assert.True(error.IsHeld.Wait(TimeSpan.FromMinutes(1)), "No figures came to the live line.");
        await Task.Delay(TimeSpan.FromSeconds(held));
        error.Release();
        Assert.True(await run.WaitAsync(TimeSpan.FromMinutes(1)) == 0, error.ToString());
        var result = JsonDocument.Parse(output.ToString()).RootElement[0];
        Assert.Equal("Complete", result.GetProperty("status").GetString());
        // The test ended while the console was blocked, without waiting for it.
        Assert.InRange(result.GetProperty("durationSeconds").GetDouble(), 0.9, held - 1);
        Assert.All(result.GetProperty("timeline").EnumerateArray(), point => Assert.True(point.GetProperty("iops").GetDouble() > 0));
    }

    private sealed class ModelConsole : IConsoleMode
    {
        public uint? Mode { get; set; }

        public uint Knows { get; init; } = Processed | Wrapped | Escapes;

        public List<uint> Asked { get; } = [];

        public uint? Get() => Mode;

        public bool Set(uint mode)
        {
            Asked.Add(mode);
            if ((mode & ~Knows) != 0)
                return false;
            Mode = mode;
            return true;
        }
    }

    /// <summary>Accepts text until a text contains the word, then blocks until <see cref="Release"/>.</summary>
    private sealed class HeldWriter(string word) : StringWriter(CultureInfo.InvariantCulture)
    {
        private readonly ManualResetEventSlim _released = new();

        public ManualResetEventSlim IsHeld { get; } = new();

        public override Encoding Encoding => Encoding.UTF8;

        public override void Write(string? value)
        {
            if (value?.Contains(word, StringComparison.Ordinal) == true && !IsHeld.IsSet)
            {
                IsHeld.Set();
                _released.Wait();
            }
            base.Write(value);
        }

        public void Release() => _released.Set();
    }
}
