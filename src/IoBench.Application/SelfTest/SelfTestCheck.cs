using IoBench.Analysis;

namespace IoBench.Application;

public enum SelfTestOutcome
{
    /// <summary>The check passed; there can still be advice.</summary>
    Pass,

    /// <summary>The check failed; results measured on this computer can be wrong.</summary>
    Fail,

    /// <summary>The computer, its file system, or the user's rights do not allow the check.</summary>
    CannotTell,
}

public sealed record SelfTestCheck
{
    internal SelfTestCheck(Finding finding) => Finding = finding;

    public Finding Finding { get; }

    public SelfTestOutcome Outcome =>
        Finding.Severity switch
        {
            FindingSeverity.Bad => SelfTestOutcome.Fail,
            FindingSeverity.Unknown => SelfTestOutcome.CannotTell,
            _ => SelfTestOutcome.Pass,
        };

    /// <summary>Subject of the check: <c>Write-through</c>.</summary>
    public string Check => Finding.Subject;

    /// <summary>Result of the check in one sentence.</summary>
    public string Found => Finding.What;

    public string? WhatToDo => Finding.WhatToDo;

    /// <summary>Outcome as printed: <c>PASS</c>, <c>FAIL</c>, or <c>CANNOT TELL</c>.</summary>
    public string Word => DescribeOutcome(Outcome);

    public string Text => WhatToDo is null ? Found : $"{Found} To do: {WhatToDo}.";

    /// <summary><c>PASS  Lock: …</c></summary>
    public override string ToString() => $"{Word}  {Check}: {Text}";

    public static string DescribeOutcome(SelfTestOutcome outcome) =>
        outcome switch
        {
            SelfTestOutcome.Fail => "FAIL",
            SelfTestOutcome.CannotTell => "CANNOT TELL",
            _ => "PASS",
        };

    internal static SelfTestCheck Pass(
        string code,
        string subject,
        string what,
        string? whatToDo = null,
        params FindingEvidence[] figures
    ) => Create(code, subject, what, whatToDo is null ? FindingSeverity.Good : FindingSeverity.Watch, whatToDo, figures);

    internal static SelfTestCheck Fail(string code, string subject, string what, string whatToDo, params FindingEvidence[] figures) =>
        Create(code, subject, what, FindingSeverity.Bad, whatToDo, figures);

    internal static SelfTestCheck CannotTell(
        string code,
        string subject,
        string what,
        string? whatToDo = null,
        params FindingEvidence[] figures
    ) => Create(code, subject, what, FindingSeverity.Unknown, whatToDo, figures);

    private static SelfTestCheck Create(
        string code,
        string subject,
        string what,
        FindingSeverity severity,
        string? whatToDo,
        FindingEvidence[] figures
    ) =>
        new(
            new Finding
            {
                Code = FindingCodes.SelfTestPrefix + code,
                Subject = subject,
                What = what,
                Severity = severity,
                WhatToDo = whatToDo,
                Evidence = figures,
            }
        );
}
