namespace IoBench.Analysis.Fleet;

/// <summary>What weakens the figures of a group, said once.</summary>
/// <param name="Hosts">Whom it is about: <c>16 of 16 hosts</c>; empty when it is about the group.</param>
/// <param name="Text">The warning.</param>
public sealed record FleetWarning(string Hosts, IoText Text)
{
    /// <summary>The warning as a front writes options.</summary>
    public string Render(TextSpelling spelling)
    {
        ArgumentNullException.ThrowIfNull(spelling);
        return Hosts.Length == 0 ? Text.Render(spelling) : $"{Hosts}: {Text.Render(spelling)}";
    }

    /// <inheritdoc/>
    public override string ToString() => Render(TextSpelling.Neutral);
}
