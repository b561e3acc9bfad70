namespace IoBench.Application.Fleet.Documents;

/// <summary>What a document is made with.</summary>
/// <param name="Group">Names the group.</param>
/// <param name="StartAt">When the first test begins.</param>
/// <param name="Program">The program on the hosts, or the image of a container.</param>
/// <param name="Force">Members may use files that IoBench did not make.</param>
public sealed record FleetDocumentRequest(string Group, DateTimeOffset StartAt, string Program, bool Force);

/// <summary>Documents by which other tools start members, which begin at one time by their own clocks and print into files that <c>iobench fleet merge</c> reads.</summary>
public static class FleetDocuments
{
    private static readonly (string Name, Func<FleetPlan, FleetDocumentRequest, string> Write)[] s_kinds =
    [
        ("ansible", AnsiblePlaybook.Write),
        ("kubernetes", KubernetesJob.Write),
        ("azure", CloudCommands.Azure),
        ("aws", CloudCommands.Aws),
    ];

    /// <summary>Kinds of documents.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. s_kinds.Select(kind => kind.Name)];

    /// <param name="kind">One of <see cref="Names"/>.</param>
    /// <param name="plan">Hosts and their tests.</param>
    /// <param name="request">What it is made with.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidName</c>: there is no such kind.</exception>
    public static string Write(string kind, FleetPlan plan, FleetDocumentRequest request) =>
        (
            Array.Find(s_kinds, known => known.Name.Equals(kind, StringComparison.OrdinalIgnoreCase)).Write
            ?? throw IoBenchException.Usage("IoBench.InvalidName", $"'{kind}' is not one of {string.Join(", ", Names)}.", kind)
        )(plan, request);

    /// <summary>The words that start a member on a host.</summary>
    internal static IReadOnlyList<string> Words(FleetDocumentRequest request, string plan, string member, int hosts) =>
        [
            request.Program,
            "run",
            "--specification",
            plan,
            "--start-at",
            request.StartAt.ToUniversalTime().ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", System.Globalization.CultureInfo.InvariantCulture),
            "--group",
            request.Group,
            "--member",
            member,
            "--group-hosts",
            hosts.ToString(System.Globalization.CultureInfo.InvariantCulture),
            .. request.Force ? ["--force"] : Array.Empty<string>(),
        ];

    /// <summary>A word for a shell.</summary>
    internal static string Quoted(string word) => $"'{word.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
