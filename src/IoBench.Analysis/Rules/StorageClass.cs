using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Kinds of storage with their own rule sets.</summary>
public enum StorageClass : long
{
    Flash,

    Hdd,

    /// <summary>Network disks of a cloud.</summary>
    Cloud,
}

/// <summary>
/// The default rules: the rule set for the specified, or else the detected, kind of storage, and the hard limit of the longest I/O.
/// </summary>
/// <param name="Words">How the kind was determined, as in <c>hdd, detected: the disk is rotational</c>.</param>
public sealed record RuleSetChoice(StorageClass Storage, IoRuleSet Rules, string Words)
{
    private static readonly string[] s_clouds =
    [
        "Microsoft Azure",
        "Amazon EC2",
        "Google Cloud",
        "Oracle Cloud",
        "Alibaba Cloud",
        "DigitalOcean",
        "Hetzner",
    ];

    /// <param name="asked">Kind that the user specified; null = detected from the hosts of the results, or else flash.</param>
    public static RuleSetChoice ChooseFor(IReadOnlyList<IoTestResult> results, StorageClass? asked = null)
    {
        if (asked is { } storage)
            return new(storage, GetRules(storage), GetName(storage));
        // Ignore virtual machines: most hypervisors report rotational disks, regardless of the physical disks.
        var physical = results.Where(result => result.HasHost() && !result.Host.ContainsKey("Virtual machine")).ToList();
        if (physical.Exists(result => result.Host.Any(fact => IsRotational(fact) == true)))
            return new(StorageClass.Hdd, GetRules(StorageClass.Hdd), "hdd, detected: the disk is rotational");
        var machines = results.Where(result => result.HasHost()).Select(result => result.Host.GetValueOrDefault("Virtual machine"));
        if (machines.FirstOrDefault(machine => s_clouds.Contains(machine)) is { } cloud)
            return new(StorageClass.Cloud, GetRules(StorageClass.Cloud), $"cloud, detected: {cloud}");
        return physical.Exists(result => result.Host.Any(fact => IsRotational(fact) == false))
            ? new(StorageClass.Flash, GetRules(StorageClass.Flash), "flash, detected: the disk does not rotate")
            : new(StorageClass.Flash, GetRules(StorageClass.Flash), "flash, assumed") { IsAssumed = true };
    }

    /// <summary>Whether the kind of storage was neither specified nor detected.</summary>
    public bool IsAssumed { get; private init; }

    public string Name => GetName(Storage);

    private static bool? IsRotational(KeyValuePair<string, string> fact) =>
        !fact.Key.StartsWith("Rotational", StringComparison.Ordinal)
            ? null
            : fact.Value.ToUpperInvariant() switch
            {
                "YES" => true,
                "NO" => false,
                _ => null,
            };

    private static IoRuleSet GetRules(StorageClass storage) =>
        IoRuleSet.All.First(set => set.Storage == storage).WithSupplement(IoRuleSet.LongestIO);

    private static string GetName(StorageClass storage) => storage.ToString().ToLowerInvariant();
}
