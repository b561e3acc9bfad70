using static IoBench.Engine.IoUringAbi;

namespace IoBench.Engine;

internal static unsafe class BackendSetup
{
    /// <summary>
    /// Splits the memory of a worker into buffers for registration with the kernel. The buffers of a slot stay together, and each slot gets
    /// the index of its registered buffer.
    /// </summary>
    /// <param name="setup">Slots in the order of their buffers, and the memory.</param>
    /// <param name="largest">Maximum bytes of a registered buffer. A slot that is larger gets its own, which the kernel can refuse.</param>
    public static IoVector[] SplitIntoRegisteredBuffers(BackendSetup setup, long largest)
    {
        var pieces = new List<IoVector>();
        var begin = setup.Buffers;
        for (var i = 0; i < setup.SlotCount; i++)
        {
            var slot = setup.Slots + i;
            var start = GetFirstBuffer(slot);
            var end = i + 1 < setup.SlotCount ? GetFirstBuffer(slot + 1) : setup.Buffers + setup.BufferBytes;
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

    private static byte* GetFirstBuffer(IoSlot* slot) => slot->ReadBuffer < slot->WriteBuffer ? slot->ReadBuffer : slot->WriteBuffer;
}
