using System.Diagnostics;
using System.Text.RegularExpressions;

namespace IoBench.Formats.Tests;

/// <summary>Reading a line must take time proportional to its length. With backtracking, these lines would take hours.</summary>
public class LongLinePerformanceTests
{
    private const int Length = 1 << 20;

    // Texts that each expression starts with, and texts that it repeats.
    private static readonly string[] s_beginnings =
    [
        "",
        "for ",
        "for /f \"",
        "@for %i in (",
        "set ",
        "set /a ",
        "set \"a",
        "call ",
        "PS x",
        "C:\\",
        "sqlio",
        "diskspd.exe",
        "x 1 ",
        "x 1 0x",
        "iobench --force ",
        "\"sqlio",
    ];

    private static readonly string[] s_repeated =
    [
        " ",
        "a",
        ".",
        "=",
        "\"",
        ">",
        "-",
        "%",
        "(",
        "1",
        "0x1 ",
        "set ",
        "set a",
        "call ",
        "call x.",
        " 1 ",
        "1 0x1 1 ",
        "sqlio ",
        "fio",
        "\"sqlio",
        "--force ",
        "--erase-device=a ",
        "@",
        "/a ",
        "+ ",
    ];

    [Fact]
    public void Batch_expressions_take_linear_time_on_long_lines()
    {
        Regex[] all =
        [
            BatchSyntax.GetForRegex(),
            BatchSyntax.GetListItemRegex(),
            BatchInterpreter.GetSetRegex(),
            BatchInterpreter.GetSetCommandRegex(),
            BatchInterpreter.GetAssignedNameRegex(),
            BatchInterpreter.GetJumpRegex(),
            BatchInterpreter.GetBatchFileRegex(),
            ToolName.GetToolRegex(),
        ];
        var clock = Stopwatch.StartNew();
        foreach (
            var line in from beginning in s_beginnings
            from repeated in s_repeated
            select beginning + string.Concat(Enumerable.Repeat(repeated, Length / repeated.Length))
        )
        {
            foreach (var pattern in all)
                _ = pattern.Count(line);
            Assert.True(clock.Elapsed < TimeSpan.FromMinutes(5), line[..40]);
        }
    }

    [Fact]
    public void SQLIO_command_line_detection_takes_linear_time()
    {
        var clock = Stopwatch.StartNew();
        foreach (var beginning in s_beginnings)
        {
            foreach (var repeated in s_repeated)
            {
                _ = SqlioSurroundingLines.TryGetCommandLine(
                    System.Text.Encoding.ASCII.GetBytes(
                        beginning + string.Concat(Enumerable.Repeat(repeated, 4000 / repeated.Length)) + "qlio"
                    ),
                    out _
                );
                _ = SqlioSurroundingLines.ContainsCommandLine(
                    beginning + string.Concat(Enumerable.Repeat(repeated, 4000 / repeated.Length))
                );
                _ = SqlioSurroundingLines.ContainsParameterLine(
                    beginning + string.Concat(Enumerable.Repeat(repeated, 1000 / repeated.Length))
                );
            }
            Assert.True(clock.Elapsed < TimeSpan.FromMinutes(2), beginning);
        }
    }
}
