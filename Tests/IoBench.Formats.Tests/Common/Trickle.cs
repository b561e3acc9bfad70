namespace IoBench.Formats.Tests;

/// <summary>Gives at most so many bytes per read, as pipes and slow disks do.</summary>
internal sealed class Trickle(byte[] bytes, int most) : MemoryStream(bytes)
{
    public override int Read(byte[] buffer, int offset, int count) => base.Read(buffer, offset, Math.Min(count, most));
}
