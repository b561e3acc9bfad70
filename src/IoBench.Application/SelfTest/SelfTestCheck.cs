namespace IoBench.Application.SelfTest;

/// <summary>How a check of the self-test ended.</summary>
public enum SelfTestOutcome
{
    /// <summary>As it should be; there may still be something to gain.</summary>
    Pass,

    /// <summary>Not as it should be: figures that are measured here may be wrong.</summary>
    Fail,

    /// <summary>This computer, its file system or its user's rights do not let it be seen.</summary>
    CannotTell,
}

/// <summary>A check of the self-test and what it found.</summary>
public sealed record SelfTestCheck
{
    internal SelfTestCheck(Finding finding) => Finding = finding;

    /// <summary>What was found, in the shape of all findings.</summary>
    public Finding Finding { get; }

    /// <summary>How it ended.</summary>
    public SelfTestOutcome Outcome =>
        Finding.Severity switch
        {
            FindingSeverity.Bad => SelfTestOutcome.Fail,
            FindingSeverity.Unknown => SelfTestOutcome.CannotTell,
            _ => SelfTestOutcome.Pass,
        };

    /// <summary>What was checked: <c>Write-through</c>.</summary>
    public string Check => Finding.Subject;

    /// <summary>What was found, in a sentence.</summary>
    public string Found => Finding.What;

    /// <summary>What to do about it; null when there is nothing to do.</summary>
    public string? WhatToDo => Finding.WhatToDo;

    /// <summary>The outcome in the words of the printed list: <c>PASS</c>, <c>FAIL</c>, <c>CANNOT TELL</c>.</summary>
    public string Word => WordOf(Outcome);

    /// <summary>What was found, and what to do about it.</summary>
    public string Text => WhatToDo is null ? Found : $"{Found} To do: {WhatToDo}.";

    /// <summary><c>PASS  Lock: …</c></summary>
    public override string ToString() => $"{Word}  {Check}: {Text}";

    /// <summary>An outcome in the words of the printed list.</summary>
    public static string WordOf(SelfTestOutcome outcome) =>
        outcome switch
        {
            SelfTestOutcome.Fail => "FAIL",
            SelfTestOutcome.CannotTell => "CANNOT TELL",
            _ => "PASS",
        };

    internal static SelfTestCheck Pass(string code, string subject, string what, string? whatToDo = null, params FindingFigure[] figures) =>
        Create(code, subject, what, whatToDo is null ? FindingSeverity.Good : FindingSeverity.Watch, whatToDo, figures);

    internal static SelfTestCheck Fail(string code, string subject, string what, string whatToDo, params FindingFigure[] figures) =>
        Create(code, subject, what, FindingSeverity.Bad, whatToDo, figures);

    internal static SelfTestCheck CannotTell(
        string code,
        string subject,
        string what,
        string? whatToDo = null,
        params FindingFigure[] figures
    ) => Create(code, subject, what, FindingSeverity.Unknown, whatToDo, figures);

    private static SelfTestCheck Create(
        string code,
        string subject,
        string what,
        FindingSeverity severity,
        string? whatToDo,
        FindingFigure[] figures
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
