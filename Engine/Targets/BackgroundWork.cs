using System.Runtime.ExceptionServices;

namespace IoBench.Engine.Targets;

/// <summary>Several threads that go through one file, so that the device always has something to do. One use is one piece of work.</summary>
internal sealed class BackgroundWork
{
    private static readonly TimeSpan s_progressInterval = TimeSpan.FromMilliseconds(100);
    private volatile Exception? _failure;
    private volatile bool _isStopped;

    /// <summary>The threads must come to their end.</summary>
    public bool IsStopped => _isStopped;

    /// <summary>Has the threads come to their end, since there is nothing left to find out.</summary>
    public void Stop() => _isStopped = true;

    /// <summary>Runs the threads to their end; none of them outlives the call.</summary>
    /// <param name="name">The threads' name.</param>
    /// <param name="count">How many.</param>
    /// <param name="work">What each of them does until it is done or <see cref="IsStopped"/>; what it throws ends all and is thrown here.</param>
    /// <param name="look">Called about ten times per second; what it throws ends all too.</param>
    /// <param name="token">Ends all.</param>
    public void Run(string name, int count, Action work, Action look, CancellationToken token)
    {
        var threads = new List<Thread>();
        // The threads hear of it at once, not when the next look is due.
        using var stop = token.Register(Stop);
        try
        {
            for (var i = 0; i < count; i++)
            {
                var thread = new Thread(() => Guarded(work)) { IsBackground = true, Name = name };
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
            // Also when the listener throws: no thread may outlive the file's handle.
            _isStopped = true;
            threads.ForEach(t => t.Join());
        }
        token.ThrowIfCancellationRequested();
        if (_failure is { } failure)
            ExceptionDispatchInfo.Throw(failure);
    }

    private void Guarded(Action work)
    {
        try
        {
            work();
        }
        catch (Exception e)
        {
            // Carried to the caller's thread, which throws it.
            _failure ??= e;
            _isStopped = true;
        }
    }
}
