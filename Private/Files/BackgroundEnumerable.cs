using System.Threading.Channels;

namespace IoBench.PowerShell;

/// <summary>Reads on its own thread, a limited number of items ahead, so that Ctrl+C works if a share does not respond.</summary>
internal static class BackgroundEnumerable
{
    /// <summary>Enough items that the threads do not wait for each other at every item, and few enough for memory.</summary>
    private const int MaxBufferedItems = 256;

    /// <summary>
    /// An exception of the source is thrown after the items before it. After a stop, its thread ends after its current call.
    /// </summary>
    public static IEnumerable<T> Enumerate<T>(IEnumerable<T> source, CancellationToken stopped)
    {
        var channel = Channel.CreateBounded<T>(new BoundedChannelOptions(MaxBufferedItems) { SingleReader = true, SingleWriter = true });
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(stopped);
        var token = ended.Token;
        _ = Task.Factory.StartNew(
            () => FillChannel(source, channel.Writer, token),
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
            // Also runs if the consumer takes only the first items, or if an item ends the pipeline.
            ended.Cancel();
        }
    }

    private static void FillChannel<T>(IEnumerable<T> source, ChannelWriter<T> writer, CancellationToken ended)
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
            // The exception is thrown on the consumer's thread.
            _ = writer.TryComplete(error);
        }
    }
}
