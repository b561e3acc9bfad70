namespace IoBench.Analysis.Rules;

/// <summary>Kinds of storage that have yardsticks of their own.</summary>
public enum StorageClass
{
    /// <summary>Flash: SSDs, all-flash arrays.</summary>
    Flash,

    /// <summary>Disks, or arrays of them.</summary>
    Hdd,

    /// <summary>A cloud's network disks.</summary>
    Cloud,
}

/// <summary>By what storage is judged where nobody named a rule set: asked, else detected.</summary>
/// <param name="Storage">The kind of storage.</param>
/// <param name="Words">How it is known: <c>hdd, detected: the disk is rotational</c>.</param>
public sealed record StorageYardstick(StorageClass Storage, IoRuleSet Rules, string Words)
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

    /// <summary>The yardstick of results.</summary>
    /// <param name="results">What was measured or read.</param>
    /// <param name="asked">What the user says it is; null = what the results' hosts say, else flash.</param>
    public static StorageYardstick Of(IReadOnlyList<IoTestResult> results, StorageClass? asked = null)
    {
        ArgumentNullException.ThrowIfNull(results);
        if (asked is { } storage)
            return new(storage, RulesOf(storage), NameOf(storage));
        // A hypervisor's disks mostly say that they rotate, whatever they stand on.
        var physical = results.Where(result => result.HasHost() && !result.Host.ContainsKey("Virtual machine")).ToList();
        if (physical.Exists(result => result.Host.Any(fact => Rotates(fact) == true)))
            return new(StorageClass.Hdd, RulesOf(StorageClass.Hdd), "hdd, detected: the disk is rotational");
        if (
            results
                .Where(result => result.HasHost())
                .Select(result => result.Host.GetValueOrDefault("Virtual machine"))
                .FirstOrDefault(machine => s_clouds.Contains(machine)) is
            { } cloud
        )
            return new(StorageClass.Cloud, RulesOf(StorageClass.Cloud), $"cloud, detected: {cloud}");
        return physical.Exists(result => result.Host.Any(fact => Rotates(fact) == false))
            ? new(StorageClass.Flash, RulesOf(StorageClass.Flash), "flash, detected: the disk does not rotate")
            : new(StorageClass.Flash, RulesOf(StorageClass.Flash), "flash, assumed") { IsAssumed = true };
    }

    /// <summary>Neither was said nor seen what it is.</summary>
    public bool IsAssumed { get; private init; }

    /// <summary>The name of the kind: flash, hdd or cloud.</summary>
    public string Name => NameOf(Storage);

    private static bool? Rotates(KeyValuePair<string, string> fact) =>
        !fact.Key.StartsWith("Rotational", StringComparison.Ordinal)
            ? null
            : fact.Value.ToUpperInvariant() switch
            {
                "YES" => true,
                "NO" => false,
                _ => null,
            };

    private static IoRuleSet RulesOf(StorageClass storage) => RuleSets.All.First(set => set.Storage == storage);

    private static string NameOf(StorageClass storage) => storage.ToString().ToLowerInvariant();
}
