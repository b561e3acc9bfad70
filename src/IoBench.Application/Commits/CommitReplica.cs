using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Synchronous replica of a commit test.</summary>
/// <param name="HasRedo">Whether to measure also while the replica writes to data pages.</param>
public sealed record CommitReplica(ReplicaEndpoint Endpoint, SharedSecret Secret, bool HasRedo)
{
    private static readonly OptionName s_replica = new("Replica");
    private static readonly OptionName s_secretFile = new("SecretFile");
    private static readonly OptionName s_redo = new("Redo");

    /// <summary>Methods of SQL Server.</summary>
    internal static CommitMethod[] Methods { get; } =
        OperatingSystem.IsWindows() ? [CommitMethod.WriteThrough] : [CommitMethod.WriteThrough, CommitMethod.GroupedFlush];

    /// <summary>Returns null if no replica is requested.</summary>
    /// <exception cref="IoBenchException">A value is invalid, or there is no secret.</exception>
    internal static CommitReplica? Create(OptionValues values)
    {
        if (values.GetText(s_replica) is { } text)
            return new(ReplicaEndpoint.Parse(text), ReadSecret(values), values.IsOn(s_redo));
        foreach (var option in new[] { s_secretFile, s_redo })
            if (values.Has(option))
                throw IoBenchException.Usage("IoBench.Usage", $"{option} requires {s_replica}, the address of a replica.");
        return null;
    }

    internal static SharedSecret ReadSecret(OptionValues values) => SharedSecret.Read(values.GetText(s_secretFile));
}
