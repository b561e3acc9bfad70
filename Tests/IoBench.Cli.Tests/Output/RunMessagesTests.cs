using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli.Tests;

public class RunMessagesTests
{
    [InProcessFact]
    public void Warnings_of_one_kind_are_merged_despite_other_values_and_paths()
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
            RunMessages.DescribeWarnings(
                [
                    Result("page-read", "T:\\1.dat is small."),
                    Result("oltp", "IOPS vary by 0.12 of their mean.", "T:\\2.dat is small."),
                    Result("tempdb", "IOPS vary by 0.30 of their mean.", "U:\\test.dat is small."),
                ],
                CliSpelling.Default
            )
        );
    }
}
