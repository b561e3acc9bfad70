using System.Collections;
using System.Collections.Concurrent;

namespace IoBench.PowerShell.Sessions;

/// <summary>
/// Work on a thread of its own, whose messages PowerShell's thread takes one by one. PowerShell can stop between two messages only, so one comes several times
/// a second; disposing of them ends the work.
/// </summary>
public sealed class HostMessages : IEnumerator<object>
{
    /// <summary>So long without news, and the host says that it is there.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(500);

    /// <summary>The engine gives up I/O that hangs after two seconds and keeps its buffers for the kernel.</summary>
    private static readonly TimeSpan s_longestEnd = TimeSpan.FromSeconds(3);

    // Neither is disposed of: work that hangs in the system may still want them.
    private readonly BlockingCollection<object> _messages = [];
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _task;

    /// <summary>Begins the work. An error that is meant for people becomes the last message.</summary>
    internal HostMessages(Action<Action<object>, CancellationToken> work) =>
        _task = Task.Factory.StartNew(() => Do(work), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    public object Current { get; private set; } = SessionMessage.Alive;

    /// <summary>Waits for the next message; false when the work is done.</summary>
    public bool MoveNext()
    {
        if (_messages.IsCompleted)
        {
            _task.GetAwaiter().GetResult();
            return false;
        }
        Current = _messages.TryTake(out var message, s_patience) ? message : SessionMessage.Alive;
        return true;
    }

    /// <summary>Messages come once.</summary>
    void IEnumerator.Reset() => throw new NotSupportedException();

    /// <summary>Ends the work.</summary>
    public void Dispose()
    {
        _stop.Cancel();
        Task.WaitAny([_task], s_longestEnd);
    }

    private void Do(Action<Action<object>, CancellationToken> work)
    {
        try
        {
            work(message => _messages.Add(message, CancellationToken.None), _stop.Token);
        }
        catch (IoBenchException error)
        {
            _messages.Add(SessionMessage.Error(error), CancellationToken.None);
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // Who stopped it wants nothing more of it.
        }
        finally
        {
            _messages.CompleteAdding();
        }
    }
}
