namespace IoBench.Analysis.Fleet;

/// <summary>What weakens the figures of a group, said once.</summary>
/// <param name="Hosts">Whom it is about: <c>16 of 16 hosts</c>; empty when it is about the group.</param>
/// <param name="Code">What it is about, one of <see cref="WarningCodes"/>; empty where nothing depends on it.</param>
/// <param name="Text">The warning.</param>
public sealed record FleetWarning(string Hosts, string Code, IoText Text)
{
    /// <summary>Whom it is about and what, with the options in it still to be spelled.</summary>
    public IoText Words => Hosts.Length == 0 ? Text : $"{Hosts}: {Text}";

    /// <summary>The warning as a front writes options.</summary>
    public string Render(TextSpelling spelling)
    {
        ArgumentNullException.ThrowIfNull(spelling);
        return Words.Render(spelling);
    }

    /// <inheritdoc/>
    public override string ToString() => Render(TextSpelling.Neutral);
}
