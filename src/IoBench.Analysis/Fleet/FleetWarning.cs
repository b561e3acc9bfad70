using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>A warning about the results of a group, without duplicates.</summary>
/// <param name="Hosts">Affected hosts, such as <c>16 of 16 hosts</c>; empty for a warning about the group.</param>
/// <param name="Code">Code of the warning, one of <see cref="WarningCodes"/>; empty if it has none.</param>
/// <param name="Text">The warning.</param>
public sealed record FleetWarning(string Hosts, string Code, IoMessage Text)
{
    /// <summary>The hosts and the warning, as a message whose options are not yet spelled.</summary>
    public IoMessage Words => Hosts.Length == 0 ? Text : $"{Hosts}: {Text}";

    /// <summary>Formats the warning with the option names of a front end.</summary>
    public string Render(OptionSpelling spelling)
    {
        ArgumentNullException.ThrowIfNull(spelling);
        return Words.Render(spelling);
    }

    /// <inheritdoc/>
    public override string ToString() => Render(OptionSpelling.Neutral);
}
