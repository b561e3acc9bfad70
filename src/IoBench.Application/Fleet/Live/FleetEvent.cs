using IoBench.Engine;

namespace IoBench.Application;

/// <param name="Code">Code of a warning, id of an error, or one of the constants of this class.</param>
/// <param name="Template"><see cref="IoMessage.Template"/> of the description.</param>
public sealed record FleetEvent(string Code, string Template)
{
    public string Text => Render(OptionSpelling.Neutral);

    public string Render(OptionSpelling spelling) => IoMessage.FromTemplate(Template).Render(spelling);

    public override string ToString() => Text;

    internal static FleetEvent Create(string code, IoMessage text) => new(code, text.Template);

    /// <summary>All other hosts wait for some hosts.</summary>
    public const string Waiting = "IoBench.FleetWaiting";

    /// <summary>A test starts on all its hosts.</summary>
    public const string TestBegins = "IoBench.FleetTestBegins";
}
