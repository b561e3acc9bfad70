using System.Runtime.ExceptionServices;

namespace IoBench.Engine;

/// <summary>Several threads that process one file, so that the device is always busy. Each instance runs once.</summary>
internal sealed class ParallelFileWork
{
    private static readonly TimeSpan s_progressInterval = TimeSpan.FromMilliseconds(100);
    private volatile Exception? _failure;
    private volatile bool _isStopped;

    public bool IsStopped => _isStopped;

    public void Stop() => _isStopped = true;

    /// <param name="work">Runs on each thread until it is done or <see cref="IsStopped"/>. An exception stops all threads.</param>
    /// <param name="look">Called about ten times per second on the calling thread. An exception stops all threads.</param>
    public void Run(string name, int count, Action work, Action look, CancellationToken token)
    {
        var threads = new List<Thread>();
        // Registering the token stops the threads at once, not only at the next progress call.
        using var stop = token.Register(Stop);
        try
        {
            for (var i = 0; i < count; i++)
            {
                var thread = new Thread(() => RunGuarded(work)) { IsBackground = true, Name = name };
                thread.Start();
                threads.Add(thread);
            }
            while (threads.Exists(t => t.IsAlive) && !token.IsCancellationRequested)
            {
                look();
                threads.Find(t => t.IsAlive)?.Join(s_progressInterval);
            }
        }
        finally
        {
            // Also stop the threads if the progress callback throws: no thread may outlive the file's handle.
            _isStopped = true;
            threads.ForEach(t => t.Join());
        }
        token.ThrowIfCancellationRequested();
        if (_failure is { } failure)
            ExceptionDispatchInfo.Throw(failure);
    }

    private void RunGuarded(Action work)
    {
        try
        {
            work();
        }
        catch (Exception e)
        {
            // Rethrown on the caller's thread.
            _failure ??= e;
            _isStopped = true;
        }
    }
}
