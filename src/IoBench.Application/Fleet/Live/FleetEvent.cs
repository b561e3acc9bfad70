using IoBench.Engine;

namespace IoBench.Application;

/// <summary>An event in a fleet.</summary>
/// <param name="Code">Code of a warning, id of an error, or one of the constants of this class.</param>
/// <param name="Template"><see cref="IoMessage.Template"/> of the description.</param>
public sealed record FleetEvent(string Code, string Template)
{
    /// <summary>Description with neutral option names.</summary>
    public string Text => Render(OptionSpelling.Neutral);

    /// <summary>Returns the description with the option names of a front end.</summary>
    public string Render(OptionSpelling spelling) => IoMessage.FromTemplate(Template).Render(spelling);

    /// <inheritdoc/>
    public override string ToString() => Text;

    internal static FleetEvent Create(string code, IoMessage text) => new(code, text.Template);

    /// <summary>All other hosts wait for some hosts.</summary>
    public const string Waiting = "IoBench.FleetWaiting";

    /// <summary>A test starts on all its hosts.</summary>
    public const string TestBegins = "IoBench.FleetTestBegins";
}
