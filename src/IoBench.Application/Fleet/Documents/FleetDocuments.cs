using IoBench.Engine;

namespace IoBench.Application;

/// <param name="Program">Program on the hosts, or a container image.</param>
public sealed record FleetDocumentRequest(string Group, DateTimeOffset StartAt, string Program);

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

    /// <param name="member">Name of the member; null if the document adds it.</param>
    internal static IReadOnlyList<string> GetMemberArguments(FleetDocumentRequest request, string plan, string? member, int hosts) =>
        [
            request.Program,
            "run",
            "--specification",
            plan,
            "--start-at",
            request.StartAt.ToUniversalTime().ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", System.Globalization.CultureInfo.InvariantCulture),
            "--group",
            request.Group,
            .. member is null ? Array.Empty<string>() : ["--member", member],
            "--group-hosts",
            hosts.ToString(System.Globalization.CultureInfo.InvariantCulture),
        ];

    internal static string QuoteForShell(string word) => $"'{word.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
