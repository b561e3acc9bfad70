using IoBench.Analysis;

namespace IoBench.Application;

/// <summary>A check of this computer. A failure means that results measured on this computer can be wrong.</summary>
public sealed record SelfTestCheck
{
    internal SelfTestCheck(Finding finding) => Finding = finding;

    public Finding Finding { get; }

    /// <summary>Pass, Fail, or NotRated if the computer, its file system, or the user's rights do not allow the check.</summary>
    public VerdictOutcome Outcome => Finding.Outcome ?? VerdictOutcome.Pass;

    /// <summary>Subject of the check: <c>Write-through</c>.</summary>
    public string Check => Finding.Subject;

    /// <summary>Result of the check in one sentence.</summary>
    public string Found => Finding.What;

    public string? WhatToDo => Finding.WhatToDo;

    /// <summary>Outcome as printed: <c>PASS</c>, <c>FAIL</c>, or <c>NOT RATED</c>.</summary>
    public string Word => VerdictWords.Describe(Outcome);

    public string Text => WhatToDo is null ? Found : $"{Found} To do: {WhatToDo}.";

    /// <summary><c>PASS  Lock: …</c></summary>
    public override string ToString() => $"{Word}  {Check}: {Text}";

    internal static SelfTestCheck Pass(
        string code,
        string subject,
        string what,
        string? whatToDo = null,
        params FindingEvidence[] figures
    ) =>
        Create(
            code,
            subject,
            what,
            VerdictOutcome.Pass,
            whatToDo is null ? FindingSeverity.Info : FindingSeverity.Warning,
            whatToDo,
            figures
        );

    internal static SelfTestCheck Fail(string code, string subject, string what, string whatToDo, params FindingEvidence[] figures) =>
        Create(code, subject, what, VerdictOutcome.Fail, FindingSeverity.Critical, whatToDo, figures);

    internal static SelfTestCheck NotRated(
        string code,
        string subject,
        string what,
        string? whatToDo = null,
        params FindingEvidence[] figures
    ) => Create(code, subject, what, VerdictOutcome.NotRated, FindingSeverity.Info, whatToDo, figures);

    private static SelfTestCheck Create(
        string code,
        string subject,
        string what,
        VerdictOutcome outcome,
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
                Outcome = outcome,
                WhatToDo = whatToDo,
                Evidence = figures,
            }
        );
}
