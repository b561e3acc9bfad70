namespace IoBench.Application.SelfTest;

/// <summary>What a self-test found.</summary>
public sealed record SelfTestReport : IHasFindings
{
    /// <summary>The checks, in the order in which they were made.</summary>
    public required IReadOnlyList<SelfTestCheck> Checks { get; init; }

    /// <summary>How long it took, in seconds.</summary>
    public required double Seconds { get; init; }

    /// <summary>I/Os per second that this program can drive per processor core here; null when it was not measured.</summary>
    public double? IopsPerCore { get; init; }

    /// <summary>The computer, without names of hosts and users.</summary>
    public required IReadOnlyDictionary<string, string> Host { get; init; }

    /// <summary>The storage of the folder, without paths.</summary>
    public required IReadOnlyDictionary<string, string> Storage { get; init; }

    /// <summary>Whether no check failed.</summary>
    public bool IsPassed => Count(SelfTestOutcome.Fail) == 0;

    /// <summary>How many checks ended so.</summary>
    public int Count(SelfTestOutcome outcome) => Checks.Count(check => check.Outcome == outcome);

    /// <summary><c>17 checks: 14 passed, 0 failed, 3 cannot tell.</c></summary>
    public string Summary =>
        $"{Checks.Count} checks: {Count(SelfTestOutcome.Pass)} passed, {Count(SelfTestOutcome.Fail)} failed, {Count(SelfTestOutcome.CannotTell)} cannot tell.";

    /// <inheritdoc/>
    public IReadOnlyList<Finding> Findings => (Finding[])[.. Checks.Select(check => check.Finding)];
}
