namespace IoBench.Engine;

internal unsafe interface IReadVerifier
{
    /// <summary>Verifies a read whose checksum does not match.</summary>
    /// <param name="found">Bytes of the read; the buffer can change after the call.</param>
    /// <param name="offset">Offset in bytes.</param>
    /// <param name="before">Expected content when the read was started, one entry per group; it can change after the call.</param>
    void Verify(ReadOnlySpan<byte> found, long offset, ChecksumMapEntry* before, IoIntegrityPhase phase);
}
