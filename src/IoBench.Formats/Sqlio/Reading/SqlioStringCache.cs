using System.Buffers.Binary;
using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class SqlioStringCache
{
    private const int Slots = 256;
    private readonly (byte[] Bytes, string Text)[] _slots = new (byte[], string)[Slots];
    private readonly Dictionary<(int, IoAccessPattern, bool), string> _patterns = [];

    public string GetString(ReadOnlySpan<byte> bytes)
    {
        ref var slot = ref _slots[GetSlot(bytes)];
        if (slot.Bytes is not null && bytes.SequenceEqual(slot.Bytes))
            return slot.Text;
        var text = SqlioLineScanner.Decode(bytes);
        if (bytes.Length <= 512)
            slot = (bytes.ToArray(), text);
        return text;
    }

    // A weak hash is enough: a wrong slot only costs another decoding.
    private static uint GetSlot(ReadOnlySpan<byte> bytes)
    {
        var hash = (ulong)bytes.Length;
        if (bytes.Length >= sizeof(ulong))
            hash += BinaryPrimitives.ReadUInt64LittleEndian(bytes[^sizeof(ulong)..]);
        else
            foreach (var value in bytes)
                hash = (hash * 31) + value;
        return (uint)((hash * 0x9E37_79B9_7F4A_7C15) >> 32) % Slots;
    }

    /// <summary>Returns the pattern in SQLIO's words: "sequential" means one position that all threads share.</summary>
    public string GetPatternText(int blockKB, IoAccessPattern access, bool isWrite)
    {
        if (_patterns.TryGetValue((blockKB, access, isWrite), out var text))
            return text;
        text = PatternText.Describe(
            blockKB,
            access == IoAccessPattern.Interlocked ? IoAccessPattern.Sequential : access,
            isWrite ? 100 : 0
        );
        if (_patterns.Count < Slots)
            _patterns[(blockKB, access, isWrite)] = text;
        return text;
    }
}
