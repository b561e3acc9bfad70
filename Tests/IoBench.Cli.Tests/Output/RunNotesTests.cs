using IoBench.Engine;

namespace IoBench.Cli.Tests;

public class RunNotesTests
{
    [Fact]
    public void Each_warning_once_with_the_tests_that_have_it()
    {
        IoTestResult Result(string name, params string[] warnings) => new() { Workload = name, Warnings = [.. warnings] };
        Assert.Equal(
        [
            "Note: the file is small.",
            "Note (oltp, tempdb): IOPS vary by 0.12 of their mean.",
        ], RunNotes.Warnings([
            Result("page-read", "the file is small."),
            Result("oltp", "IOPS vary by 0.12 of their mean.", "the file is small."),
            Result("tempdb", "IOPS vary by 0.30 of their mean.", "the file is small."),
        ], IoBench.Application.ProgramSpelling.Default));
    }
}
