namespace IoBench.Engine.Integrity;

/// <summary>Looks at reads whose checksum is not the one that was expected.</summary>
internal unsafe interface IReadJudge
{
    /// <summary>Judges what a read brought.</summary>
    /// <param name="found">Its bytes; they may change after the call.</param>
    /// <param name="offset">Its offset in bytes.</param>
    /// <param name="before">What its groups had to hold when it was started; an entry per group, which may change after the call.</param>
    /// <param name="phase">When it was.</param>
    void Judge(ReadOnlySpan<byte> found, long offset, MapEntry* before, IoIntegrityPhase phase);
}
