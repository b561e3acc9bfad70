namespace IoBench.Engine.Tests;

internal sealed class SparseDisk(long size)
{
    private readonly List<(long Offset, byte[] Bytes)> _parts = [];

    public SparseDisk SetBytes(long offset, params byte[] bytes)
    {
        _parts.Add((offset, bytes));
        return this;
    }

    public SparseDisk SetBytes(long offset, string text) => SetBytes(offset, System.Text.Encoding.Latin1.GetBytes(text));

    public TargetContent Content => new(size, ReadBytes);

    public string? FindSignature() => Content.Find()?.Name;

    private void ReadBytes(long offset, Span<byte> buffer)
    {
        Assert.InRange(offset, 0, size - buffer.Length);
        buffer.Clear();
        foreach (var (at, bytes) in _parts)
            for (var i = 0; i < bytes.Length; i++)
                if (at + i >= offset && at + i < offset + buffer.Length)
                    buffer[(int)(at + i - offset)] = bytes[i];
    }
}
