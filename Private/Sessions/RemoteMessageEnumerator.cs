using System.Collections;
using System.Collections.Concurrent;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>PowerShell can stop only between two messages, so one arrives at least every 500 ms. Dispose ends the work.</summary>
public sealed class RemoteMessageEnumerator : IEnumerator<object>
{
    private static readonly TimeSpan s_aliveInterval = TimeSpan.FromMilliseconds(500);

    /// <summary>Longer than the engine's two seconds, after which it abandons I/O and leaves the buffers to the kernel.</summary>
    private static readonly TimeSpan s_stopTimeout = TimeSpan.FromSeconds(3);

    // Neither is disposed, because work that hangs in a system call might still use them.
    private readonly BlockingCollection<object> _messages = [];
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _task;

    /// <summary>Starts the work. An expected error becomes the last message.</summary>
    internal RemoteMessageEnumerator(Action<Action<object>, CancellationToken> work) =>
        _task = Task.Factory.StartNew(() => RunWork(work), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    public object Current { get; private set; } = SessionMessage.Alive;

    public bool MoveNext()
    {
        if (_messages.IsCompleted)
        {
            _task.GetAwaiter().GetResult();
            return false;
        }
        Current = _messages.TryTake(out var message, s_aliveInterval) ? message : SessionMessage.Alive;
        return true;
    }

    void IEnumerator.Reset() => throw new NotSupportedException();

    public void Dispose()
    {
        _stop.Cancel();
        Task.WaitAny([_task], s_stopTimeout);
    }

    private void RunWork(Action<Action<object>, CancellationToken> work)
    {
        try
        {
            work(message => _messages.Add(message, CancellationToken.None), _stop.Token);
        }
        catch (IoBenchException error)
        {
            _messages.Add(SessionMessage.FromError(error), CancellationToken.None);
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // The caller stopped the work and needs no message.
        }
        finally
        {
            _messages.CompleteAdding();
        }
    }
}
