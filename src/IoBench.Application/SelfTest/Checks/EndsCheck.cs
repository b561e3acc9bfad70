using IoBench.Analysis;

namespace IoBench.Application;

internal static class EndsCheck
{
    private const string Code = "Ends",
        Subject = "Ends";

    private static readonly ProgramEnd[] s_ends = OperatingSystem.IsWindows()
        ? [ProgramEnd.Interrupt, ProgramEnd.Break, ProgramEnd.Kill]
        : [ProgramEnd.Interrupt, ProgramEnd.Terminate, ProgramEnd.Kill];

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context)
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
        return [Judge([.. s_ends.Select(end => new EndTrial(context, program, end).Make())])];
    }

    internal static SelfTestCheck Judge(IReadOnlyList<EndOutcome> outcomes)
    {
        var what = string.Join("; ", outcomes.Select(Words)) + ".";
        FindingFigure[] figures = [.. outcomes.Select(o => new FindingFigure(Name(o.End), o.Seconds, "s"))];
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

    private static string Words(EndOutcome outcome)
    {
        if (outcome.Fault is { } fault)
            return $"after {Name(outcome.End)} {fault.TrimEnd('.')}";
        if (outcome.Unknown is { } why)
            return $"{Name(outcome.End)} cannot be seen ({why.TrimEnd('.')})";
        return outcome.End == ProgramEnd.Kill
            ? "after a kill what was finished is saved, and the next run proves the test file and takes it"
            : FormattableString.Invariant(
                $"{Name(outcome.End)} ends a test within {outcome.Seconds:0.00} s, what was finished is saved and the mark is closed"
            );
    }

    private static string Name(ProgramEnd end) =>
        end switch
        {
            ProgramEnd.Interrupt => "Ctrl+C",
            ProgramEnd.Break => "Ctrl+Break",
            ProgramEnd.Terminate => "SIGTERM",
            _ => "a kill",
        };
}
