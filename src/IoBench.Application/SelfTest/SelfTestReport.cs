using IoBench.Analysis;

namespace IoBench.Application;

/// <summary>Results of a self-test.</summary>
public sealed record SelfTestReport : IHasFindings
{
    /// <summary>Checks in the order in which they ran.</summary>
    public required IReadOnlyList<SelfTestCheck> Checks { get; init; }

    /// <summary>Duration in seconds.</summary>
    public required double Seconds { get; init; }

    /// <summary>IOPS that this program can drive per CPU core on this computer; null if not measured.</summary>
    public double? IopsPerCore { get; init; }

    /// <summary>Facts about the computer, without names of hosts and users.</summary>
    public required IReadOnlyDictionary<string, string> Host { get; init; }

    /// <summary>Facts about the storage, without paths.</summary>
    public required IReadOnlyDictionary<string, string> Storage { get; init; }

    /// <summary>Whether no check failed.</summary>
    public bool IsPassed => Count(SelfTestOutcome.Fail) == 0;

    /// <summary>Returns the number of checks with an outcome.</summary>
    public int Count(SelfTestOutcome outcome) => Checks.Count(check => check.Outcome == outcome);

    /// <summary><c>17 checks: 14 passed, 0 failed, 3 cannot tell.</c></summary>
    public string Summary =>
        $"{Checks.Count} checks: {Count(SelfTestOutcome.Pass)} passed, {Count(SelfTestOutcome.Fail)} failed, {Count(SelfTestOutcome.CannotTell)} cannot tell.";

    /// <inheritdoc/>
    public IReadOnlyList<Finding> Findings => (Finding[])[.. Checks.Select(check => check.Finding)];
}
