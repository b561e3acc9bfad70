using IoBench.Engine;

namespace IoBench.Application;

/// <param name="Program">Program on the hosts, or a container image.</param>
public sealed record FleetDocumentRequest(string Group, DateTimeOffset StartAt, string Program, bool Force);

/// <summary>Documents for other tools that start members. The members start at the same time by their own clocks.</summary>
public static class FleetDocuments
{
    private static readonly (string Name, Func<FleetPlan, FleetDocumentRequest, string> Write)[] s_kinds =
    [
        ("ansible", AnsiblePlaybook.Write),
        ("kubernetes", KubernetesJob.Write),
        ("azure", CloudStartScripts.WriteAzureScript),
        ("aws", CloudStartScripts.WriteAwsDocument),
    ];

    public static IReadOnlyList<string> Names { get; } = [.. s_kinds.Select(kind => kind.Name)];

    public static string Write(string kind, FleetPlan plan, FleetDocumentRequest request) =>
        (
            Array.Find(s_kinds, known => known.Name.Equals(kind, StringComparison.OrdinalIgnoreCase)).Write
            ?? throw IoBenchException.Usage("IoBench.InvalidName", $"'{kind}' is not one of {string.Join(", ", Names)}.", kind)
        )(plan, request);

    internal static IReadOnlyList<string> GetMemberArguments(FleetDocumentRequest request, string plan, string member, int hosts) =>
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

    internal static string QuoteForShell(string word) => $"'{word.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
