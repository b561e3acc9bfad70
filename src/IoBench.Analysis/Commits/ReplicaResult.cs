using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Commits with a synchronous replica: the prediction of an availability group.</summary>
public sealed record ReplicaResult
{
    /// <summary>What the prediction does not include, as a sentence.</summary>
    public const string NotIncluded =
        "The prediction leaves out log compression, the encryption of the connection, SQL Server's own threads and flow control, and log blocks that several commits share.";

    /// <summary>Host and port of the replica.</summary>
    public required string Address { get; init; }

    /// <summary>Whether the replica was on the same computer.</summary>
    public bool IsLocal { get; init; }

    public required ReplicaFacts Replica { get; init; }

    public required IReadOnlyList<ReplicaMeasurement> Measurements { get; init; }

    /// <summary>What the prediction leaves out.</summary>
    public string Limitations { get; init; } = NotIncluded;
}
