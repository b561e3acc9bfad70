namespace IoBench.Formats.Tests;

/// <summary>Returns at most the specified number of bytes per read, like pipes and slow disks.</summary>
internal sealed class SlowStream(byte[] bytes, int most) : MemoryStream(bytes)
{
    public override int Read(byte[] buffer, int offset, int count) => base.Read(buffer, offset, Math.Min(count, most));
}
