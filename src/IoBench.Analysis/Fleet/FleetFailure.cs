namespace IoBench.Analysis.Fleet;

/// <summary>A host without a complete result of a test, and why.</summary>
/// <param name="Host">The host's name in its group.</param>
/// <param name="GroupId">The test of the group; null where the host took part in none.</param>
/// <param name="ErrorId">Id of the error.</param>
/// <param name="Text">The reason in words.</param>
public sealed record FleetFailure(string Host, string? GroupId, string ErrorId, string Text)
{
    /// <inheritdoc/>
    public override string ToString() => $"{Host}: {Text}";
}
