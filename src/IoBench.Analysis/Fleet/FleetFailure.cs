using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>A host without a complete result of a test, and the reason.</summary>
/// <param name="Host">Name of the host in its group.</param>
/// <param name="GroupId">Id of the group's test; null if the host took part in none.</param>
/// <param name="ErrorId">Id of the error.</param>
/// <param name="What">What happened.</param>
/// <param name="Advice">Recommended action; null if there is none.</param>
public sealed record FleetFailure(string Host, string? GroupId, string ErrorId, IoMessage What, IoMessage? Advice = null)
{
    /// <summary>The reason and the recommended action, with the neutral names of options.</summary>
    public string Text => What.WithSentence(Advice).ToString();

    /// <summary>The host and the reason, as a message whose options are not yet spelled.</summary>
    public IoMessage Words => $"{Host}: {What.WithSentence(Advice)}";

    /// <summary>Formats the host and the reason with the option names of a front end.</summary>
    public string Render(OptionSpelling spelling) => Words.Render(spelling);

    /// <inheritdoc/>
    public override string ToString() => Render(OptionSpelling.Neutral);
}
