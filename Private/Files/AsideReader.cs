using System.Threading.Channels;

namespace IoBench.PowerShell.Files;

/// <summary>
/// Takes items from a source that reads files, on a thread of its own: a share that does not answer holds a call into the system for ever, and Ctrl+C is
/// heard all the same. The source is a little ahead of who takes its items.
/// </summary>
internal static class AsideReader
{
    /// <summary>Items that are read and not yet taken, at most: enough that neither thread waits for the other at each, few enough for memory.</summary>
    private const int MaxAhead = 256;

    /// <summary>The items, in their order.</summary>
    /// <param name="source">Where they come from; what it throws is thrown here, after the items before it.</param>
    /// <param name="stopped">Ends the waiting; the source's thread ends with the call that it is in.</param>
    /// <exception cref="OperationCanceledException">It was stopped.</exception>
    public static IEnumerable<T> Read<T>(IEnumerable<T> source, CancellationToken stopped)
    {
        var channel = Channel.CreateBounded<T>(new BoundedChannelOptions(MaxAhead) { SingleReader = true, SingleWriter = true });
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(stopped);
        var token = ended.Token;
        _ = Task.Factory.StartNew(
            () => Fill(source, channel.Writer, token),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        try
        {
            while (channel.Reader.WaitToReadAsync(stopped).AsTask().GetAwaiter().GetResult())
            {
                while (channel.Reader.TryRead(out var item))
                {
                    stopped.ThrowIfCancellationRequested();
                    yield return item;
                }
            }
        }
        finally
        {
            // Also when only the first items were wanted, or one of them ended the pipeline.
            ended.Cancel();
        }
    }

    private static void Fill<T>(IEnumerable<T> source, ChannelWriter<T> writer, CancellationToken ended)
    {
        try
        {
            foreach (var item in source)
            {
                if (!writer.TryWrite(item))
                    writer.WriteAsync(item, ended).AsTask().GetAwaiter().GetResult();
                if (ended.IsCancellationRequested)
                    break;
            }
            _ = writer.TryComplete();
        }
        catch (Exception error)
        {
            // Thrown where the items are taken.
            _ = writer.TryComplete(error);
        }
    }
}
