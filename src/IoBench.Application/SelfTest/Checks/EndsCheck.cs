using IoBench.Analysis;

namespace IoBench.Application;

internal static class ShutdownTest
{
    private const string Code = "Ends",
        Subject = "Ends";

    private static readonly ShutdownKind[] s_kinds = OperatingSystem.IsWindows()
        ? [ShutdownKind.Interrupt, ShutdownKind.Break, ShutdownKind.Kill]
        : [ShutdownKind.Interrupt, ShutdownKind.Terminate, ShutdownKind.Kill];

    public static IEnumerable<SelfTestCheck> CheckShutdown(SelfTestContext context)
    {
        if (context.Request.Program is not { } program)
            return
            [
                SelfTestCheck.CannotTell(
                    Code,
                    Subject,
                    "the module knows no program of its own that it could start and end.",
                    "See it by the program: iobench self-test"
                ),
            ];
        return [CreateCheck([.. s_kinds.Select(end => new ShutdownTest(context, program, end).RunTest())])];
    }

    internal static SelfTestCheck CreateCheck(IReadOnlyList<ShutdownTestResult> outcomes)
    {
        var what = string.Join("; ", outcomes.Select(DescribeResult)) + ".";
        FindingEvidence[] figures = [.. outcomes.Select(o => new FindingEvidence(DescribeKind(o.Kind), o.Seconds, "s"))];
        if (outcomes.Any(o => o.Fault is not null))
            return SelfTestCheck.Fail(
                Code,
                Subject,
                what,
                "Do not count on results and test files of runs that are interrupted here, and report it",
                figures
            );
        return outcomes.Any(o => o.Unknown is not null)
            ? SelfTestCheck.CannotTell(Code, Subject, what, null, figures)
            : SelfTestCheck.Pass(Code, Subject, what, null, figures);
    }

    private static string DescribeResult(ShutdownTestResult outcome)
    {
        if (outcome.Fault is { } fault)
            return $"after {DescribeKind(outcome.Kind)} {fault.TrimEnd('.')}";
        if (outcome.Unknown is { } why)
            return $"{DescribeKind(outcome.Kind)} cannot be seen ({why.TrimEnd('.')})";
        return outcome.Kind == ShutdownKind.Kill
            ? "after a kill what was finished is saved, and the next run proves the test file and takes it"
            : FormattableString.Invariant(
                $"{DescribeKind(outcome.Kind)} ends a test within {outcome.Seconds:0.00} s, what was finished is saved and the mark is closed"
            );
    }

    private static string DescribeKind(ShutdownKind end) =>
        end switch
        {
            ShutdownKind.Interrupt => "Ctrl+C",
            ShutdownKind.Break => "Ctrl+Break",
            ShutdownKind.Terminate => "SIGTERM",
            _ => "a kill",
        };
}
