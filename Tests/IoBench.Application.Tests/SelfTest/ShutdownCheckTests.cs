using IoBench.Analysis;

namespace IoBench.Application.Tests;

/// <summary>Tests the evaluation only. The tests of the CLI verify the shutdown itself.</summary>
public class ShutdownCheckTests
{
    private static readonly ShutdownTestResult s_stopped = new(ShutdownKind.Interrupt, 0.25, null, null),
        s_killed = new(ShutdownKind.Kill, 0.01, null, null);

    [Fact]
    public void Correct_shutdowns_pass_with_their_seconds()
    {
        var check = ShutdownTest.CreateCheck([s_stopped, s_killed]);
        Assert.Equal(
            "PASS  Ends: Ctrl+C ends a test within 0.25 s, what was finished is saved and the mark is closed; after a kill what was finished is saved, and the next run proves the test file and takes it.",
            check.ToString()
        );
        Assert.Equal([0.25, 0.01], check.Finding.Evidence.Select(figure => figure.Value!.Value));
    }

    [Fact]
    public void One_fault_fails_and_an_unknown_result_is_inconclusive()
    {
        var unseen = new ShutdownTestResult(ShutdownKind.Break, null, null, "the event was not sent: refused (5).");
        Assert.Equal(SelfTestOutcome.CannotTell, ShutdownTest.CreateCheck([s_stopped, unseen]).Outcome);
        Assert.Contains(
            "Ctrl+Break cannot be seen (the event was not sent: refused (5));",
            ShutdownTest.CreateCheck([unseen, s_killed]).Found,
            StringComparison.Ordinal
        );
        var check = ShutdownTest.CreateCheck([new(ShutdownKind.Interrupt, 3, "the exit code is 1 and not 130", null), unseen, s_killed]);
        Assert.Equal(SelfTestOutcome.Fail, check.Outcome);
        Assert.StartsWith("after Ctrl+C the exit code is 1 and not 130; ", check.Found, StringComparison.Ordinal);
    }

    [RequiresFact("sh")]
    public void Program_that_exits_by_itself_fails_and_leaves_no_files()
    {
        using var folder = new TemporaryDiskFolder();
        var context = SelfTestContext.Open(
            new SelfTestRequest { Folder = folder.Path, Program = new SelfTestChildProgram(["sh", "-c", "echo out of luck >&2; exit 3"]) },
            CancellationToken.None
        );
        var check = ShutdownTest.CheckShutdown(context).Single();
        Assert.Null(context.Close());
        Assert.Equal(SelfTestOutcome.Fail, check.Outcome);
        Assert.StartsWith(
            "after Ctrl+C the program ended by itself, with exit code 3: out of luck; ",
            check.Found,
            StringComparison.Ordinal
        );
        Assert.Empty(folder.Names);
    }

    /// <summary>The script writes a complete result and exits on Ctrl+C with its own exit code.</summary>
    [RequiresFact("sh")]
    public void Wrong_exit_code_and_missing_file_fail()
    {
        const string script = """
            trap 'exit 7' INT TERM
            for word do case $previous in --output) out=$word;; esac; previous=$word; done
            printf '[{"status":"Complete"}]' > "$out"
            while :; do sleep 0.1; done
            """;
        using var folder = new TemporaryDiskFolder();
        var context = SelfTestContext.Open(
            new SelfTestRequest { Folder = folder.Path, Program = new SelfTestChildProgram(["sh", "-c", script, "sh"]) },
            CancellationToken.None
        );
        var outcome = new ShutdownTest(context, context.Request.Program!, ShutdownKind.Terminate).RunTest();
        Assert.Null(context.Close());
        Assert.Equal("the exit code is 7 and not 130", outcome.Fault);
        Assert.Empty(folder.Names);
    }

    [Fact]
    public void Module_reports_that_the_check_requires_the_CLI()
    {
        using var folder = new TemporaryDiskFolder();
        var context = SelfTestContext.Open(new SelfTestRequest { Folder = folder.Path }, CancellationToken.None);
        var check = ShutdownTest.CheckShutdown(context).Single();
        Assert.Null(context.Close());
        Assert.Equal((SelfTestOutcome.CannotTell, FindingCodes.SelfTestPrefix + "Ends"), (check.Outcome, check.Finding.Code));
        Assert.Contains("iobench self-test", check.WhatToDo!, StringComparison.Ordinal);
    }
}
