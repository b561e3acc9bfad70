namespace IoBench.Engine;

internal static unsafe class WorkerPipeline
{
    /// <summary>
    /// Gives the first I/Os of a queue the buffers of the last ones, and the last ones theirs. The buffers of the last ones were verified
    /// just now and are still in the L2 cache, so the next verifications find them there.
    /// </summary>
    /// <param name="ready">Slots with a prepared I/O, the most recent one last.</param>
    /// <param name="count">Number of I/Os that start now, from the first one; at most half of the queue.</param>
    public static void SwapInWarmBuffers(IoSlot* slots, int* ready, int readyCount, int count)
    {
        var last = ready + readyCount - count;
        for (var i = 0; i < count; i++)
        {
            var slot = slots + ready[i];
            var warm = slots + last[i];
            // The slots of a pool can belong to different streams, and registered buffers have different indexes.
            if (
                slot->Operation != SlotOperation.Read
                || warm->Operation != SlotOperation.Read
                || slot->Stream != warm->Stream
                || slot->Piece != warm->Piece
            )
                continue;
            slot->Buffer = warm->ReadBuffer;
            warm->ReadBuffer = warm->Buffer = slot->ReadBuffer;
            slot->ReadBuffer = slot->Buffer;
        }
    }
}
