using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli.Tests;

public class RunNotesTests
{
    [InProcessFact]
    public void Each_kind_of_warning_is_one_line_with_a_count_also_where_figures_and_paths_differ()
    {
        IoTestResult Result(string name, params string[] warnings) =>
            new()
            {
                Workload = name,
                Path = warnings[^1].Split(' ')[0],
                Warnings = [.. warnings],
            };
        Assert.Equal(
            ["Note (all 3 tests): T:\\1.dat is small.", "Note (2 tests: oltp, tempdb): IOPS vary by 0.12 to 0.30 of their mean."],
            RunNotes.Warnings(
                [
                    Result("page-read", "T:\\1.dat is small."),
                    Result("oltp", "IOPS vary by 0.12 of their mean.", "T:\\2.dat is small."),
                    Result("tempdb", "IOPS vary by 0.30 of their mean.", "U:\\test.dat is small."),
                ],
                ProgramSpelling.Default
            )
        );
    }
}
