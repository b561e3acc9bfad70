using IoBench.Analysis;

namespace IoBench.Application;

/// <summary>A check of this computer. A failure means that results measured on this computer can be wrong.</summary>
public sealed record HostCheck
{
    internal HostCheck(Finding finding) => Finding = finding;

    public Finding Finding { get; private init; }

    /// <summary>Pass, Fail, or NotRated if the computer, its file system, or the user's rights do not allow the check.</summary>
    public VerdictOutcome Outcome => Finding.Outcome ?? VerdictOutcome.Pass;

    /// <summary>Subject of the check: <c>Write-through</c>.</summary>
    public string Check => Finding.Subject;

    /// <summary>Result of the check in one sentence.</summary>
    public string Found => Finding.What;

    public string? WhatToDo => Finding.WhatToDo;

    /// <summary>Address of the publication that the check is based on; null for a check of IoBench.</summary>
    public string? Source { get; init; }

    /// <summary>Folder that was checked; null for a check of the computer.</summary>
    public string? Path { get; init; }

    /// <summary>Outcome as printed: <c>PASS</c>, <c>WARNING</c> (passed, with something to do), <c>FAIL</c>, or <c>NOT RATED</c>.</summary>
    public string Word =>
        Outcome == VerdictOutcome.Pass && Finding.Severity == FindingSeverity.Warning ? "WARNING" : VerdictWords.Describe(Outcome);

    public string Text => Finding.Describe();

    /// <summary><c>PASS  Lock: …</c></summary>
    public override string ToString() => $"{Word}  {Check}: {Text}";

    internal static HostCheck Pass(string what, string? whatToDo = null, params FindingEvidence[] figures) =>
        Create(what, VerdictOutcome.Pass, whatToDo is null ? FindingSeverity.Info : FindingSeverity.Warning, whatToDo, figures);

    internal static HostCheck Fail(string what, string whatToDo, params FindingEvidence[] figures) =>
        Create(what, VerdictOutcome.Fail, FindingSeverity.Critical, whatToDo, figures);

    internal static HostCheck NotRated(string what, string? whatToDo = null, params FindingEvidence[] figures) =>
        Create(what, VerdictOutcome.NotRated, FindingSeverity.Info, whatToDo, figures);

    internal HostCheck WithName(string code, string subject) =>
        this with
        {
            Finding = Finding with { Code = FindingCodes.CheckPrefix + code, Subject = subject },
        };

    private static HostCheck Create(
        string what,
        VerdictOutcome outcome,
        FindingSeverity severity,
        string? whatToDo,
        FindingEvidence[] figures
    ) =>
        new(
            new Finding
            {
                Code = "",
                Subject = "",
                What = what,
                Severity = severity,
                Outcome = outcome,
                WhatToDo = whatToDo,
                Evidence = figures,
            }
        );
}
