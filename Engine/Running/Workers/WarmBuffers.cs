namespace IoBench.Engine.Running.Workers;

/// <summary>
/// Reads that are started a few at a time take the buffers of those that were checked just now, which still lie in the processor's second cache: so the same few buffers are used again and
/// again, and the next checks find them there.
/// </summary>
internal static unsafe class WarmBuffers
{
    /// <summary>The first I/Os of a queue take the buffers of the last ones, which were checked just now, and these get theirs: each slot has one as before.</summary>
    /// <param name="ready">Slots that have their next I/O, the one that became ready last at the end.</param>
    /// <param name="readyCount">How many.</param>
    /// <param name="count">How many of them are started now, from the first on: half of them at most.</param>
    public static void Exchange(IoSlot* slots, int* ready, int readyCount, int count)
    {
        var last = ready + readyCount - count;
        for (var i = 0; i < count; i++)
        {
            var slot = slots + ready[i];
            var warm = slots + last[i];
            // A pool's slots are of any stream; pieces of memory that are registered apart have numbers of their own.
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
