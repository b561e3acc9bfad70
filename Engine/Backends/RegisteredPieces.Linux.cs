using static IoBench.Engine.Interop.Linux.IoUringAbi;

namespace IoBench.Engine.Backends;

/// <summary>A worker's memory in pieces that the kernel registers: one, or several where it is larger than a piece may be.</summary>
internal static unsafe class RegisteredPieces
{
    /// <summary>The pieces, in order; no slot's buffers lie in two. Each slot learns its piece.</summary>
    /// <param name="setup">Slots in the order of their buffers, and the memory.</param>
    /// <param name="largest">Bytes of a piece at most; a slot that is larger gets one of its own, which the kernel may refuse.</param>
    public static IoVector[] Cut(BackendSetup setup, long largest)
    {
        var pieces = new List<IoVector>();
        var begin = setup.Buffers;
        for (var i = 0; i < setup.SlotCount; i++)
        {
            var slot = setup.Slots + i;
            var start = Start(slot);
            var end = i + 1 < setup.SlotCount ? Start(slot + 1) : setup.Buffers + setup.BufferBytes;
            if (end - begin > largest && start > begin)
            {
                pieces.Add(new IoVector { Base = begin, Length = (nuint)(start - begin) });
                begin = start;
            }
            slot->Piece = (ushort)pieces.Count;
        }
        pieces.Add(new IoVector { Base = begin, Length = (nuint)(setup.Buffers + setup.BufferBytes - begin) });
        return [.. pieces];
    }

    private static byte* Start(IoSlot* slot) => slot->ReadBuffer < slot->WriteBuffer ? slot->ReadBuffer : slot->WriteBuffer;
}
