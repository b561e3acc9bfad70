using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>A host without a complete result of a test, and the reason.</summary>
/// <param name="Host">Name of the host in its group.</param>
/// <param name="GroupId">Id of the group's test; null if the host took part in none.</param>
/// <param name="ErrorId">Id of the error.</param>
/// <param name="What">What happened.</param>
/// <param name="Advice">Recommended action; null if there is none.</param>
public sealed record FleetFailure(string Host, string? GroupId, string ErrorId, IoText What, IoText? Advice = null)
{
    /// <summary>The reason and the recommended action, with the neutral names of options.</summary>
    public string Text => What.With(Advice).ToString();

    /// <summary>The host and the reason, as a message whose options are not yet spelled.</summary>
    public IoText Words => $"{Host}: {What.With(Advice)}";

    /// <summary>Formats the host and the reason with the option names of a front end.</summary>
    public string Render(TextSpelling spelling) => Words.Render(spelling);

    /// <inheritdoc/>
    public override string ToString() => Render(TextSpelling.Neutral);
}
