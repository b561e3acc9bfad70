namespace IoBench.Analysis.Fleet;

/// <summary>A host without a complete result of a test, and why.</summary>
/// <param name="Host">The host's name in its group.</param>
/// <param name="GroupId">The test of the group; null where the host took part in none.</param>
/// <param name="ErrorId">Id of the error.</param>
/// <param name="What">What happened.</param>
/// <param name="Advice">What to do about it; null where nobody can say.</param>
public sealed record FleetFailure(string Host, string? GroupId, string ErrorId, IoText What, IoText? Advice = null)
{
    /// <summary>The reason in words: what happened and what to do, with the options' neutral names.</summary>
    public string Text => What.With(Advice).ToString();

    /// <summary>The host and the reason, with the options in it still to be spelled.</summary>
    public IoText Words => $"{Host}: {What.With(Advice)}";

    /// <summary>The host and the reason, as a front writes options.</summary>
    public string Render(TextSpelling spelling) => Words.Render(spelling);

    /// <inheritdoc/>
    public override string ToString() => Render(TextSpelling.Neutral);
}
