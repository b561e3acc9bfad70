namespace IoBench.Application.Fleet.Live;

/// <summary>Something that happened in a fleet, for whoever watches it.</summary>
/// <param name="Code">What it is about: the code of a warning, the id of an error, or one of <see cref="FleetEventCodes"/>.</param>
/// <param name="Template"><see cref="IoText.Template"/> of its text.</param>
public sealed record FleetEvent(string Code, string Template)
{
    /// <summary>In words, with the options' neutral names.</summary>
    public string Text => Render(TextSpelling.Neutral);

    /// <summary>In words, as a front writes options.</summary>
    public string Render(TextSpelling spelling) => IoText.FromTemplate(Template).Render(spelling);

    /// <inheritdoc/>
    public override string ToString() => Text;

    internal static FleetEvent Of(string code, IoText text) => new(code, text.Template);
}

/// <summary>What happens in a fleet beside warnings and errors.</summary>
public static class FleetEventCodes
{
    /// <summary>All others wait for some hosts.</summary>
    public const string Waiting = "IoBench.FleetWaiting";

    /// <summary>A test begins, on all of its hosts at one moment.</summary>
    public const string TestBegins = "IoBench.FleetTestBegins";
}
