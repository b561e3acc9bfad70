using System.Diagnostics;
using System.Runtime.ExceptionServices;

namespace IoBench.Engine;

/// <summary>A call on its own background thread, because a disk that does not respond blocks a system call forever, and cancellation must
/// still work. The thread does not keep the process alive.</summary>
public sealed class CancellableCall<T>
{
    private static readonly TimeSpan s_poll = TimeSpan.FromMilliseconds(50);

    private readonly object _gate = new();
    private readonly Thread _thread;
    private readonly long _began = Stopwatch.GetTimestamp();
    private ExceptionDispatchInfo? _failure;
    private T _result = default!;
    private bool _isEnded;
    private Action<T>? _discard;

    public CancellableCall(Func<T> call)
    {
        ArgumentNullException.ThrowIfNull(call);
        _thread = new Thread(() => Run(call)) { IsBackground = true, Name = "IoBench call" };
        _thread.Start();
    }

    /// <summary>Result of the ended call. Rethrows its exception.</summary>
    public T Result
    {
        get
        {
            _failure?.Throw();
            return _result;
        }
    }

    /// <returns>False if the call did not end in time.</returns>
    public bool Wait(TimeSpan timeout) => _thread.Join(timeout);

    /// <summary>Waits until the call ends or, after a cancellation, until the patience is over.</summary>
    /// <param name="meanwhile">Called on the calling thread every 50 ms with the duration of the call so far.</param>
    /// <returns>False if the call did not end in time after the cancellation.</returns>
    public bool Wait(TimeSpan patience, CancellationToken token, Action<TimeSpan>? meanwhile = null)
    {
        for (; !_thread.Join(s_poll); meanwhile?.Invoke(Stopwatch.GetElapsedTime(_began)))
            if (token.IsCancellationRequested)
                return _thread.Join(patience);
        return true;
    }

    /// <summary>As <see cref="Wait(TimeSpan, CancellationToken, Action{TimeSpan})"/>, for a check of a file.</summary>
    /// <param name="warn">Receives warnings while the file does not respond, and when it responds again.</param>
    public bool Wait(TimeSpan patience, string path, Action<IoWarning> warn, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(warn);
        var hangs = new HangMonitor();
        var isEnded = Wait(patience, token, elapsed => Report(elapsed.TotalSeconds));
        if (isEnded)
            Report(null);
        return isEnded;

        void Report(double? seconds)
        {
            if (hangs.UpdateFileCheck(path, seconds) is { } warning)
                warn(warning);
        }
    }

    /// <summary>Call it if nothing uses the result: the result is discarded now or when the call returns.</summary>
    public void Abandon(Action<T> discard)
    {
        ArgumentNullException.ThrowIfNull(discard);
        lock (_gate)
        {
            _discard = discard;
            if (!_isEnded)
                return;
        }
        if (_failure is null)
            discard(_result);
    }

    private void Run(Func<T> call)
    {
        try
        {
            _result = call();
        }
        catch (Exception e)
        {
            // Rethrown by Result.
            _failure = ExceptionDispatchInfo.Capture(e);
        }
        Action<T>? discard;
        lock (_gate)
        {
            _isEnded = true;
            discard = _discard;
        }
        if (_failure is not null || discard is null)
            return;
        try
        {
            discard(_result);
        }
        catch (Exception e)
        {
            // Nothing uses the abandoned result. An exception on this thread would end the process.
            _failure = ExceptionDispatchInfo.Capture(e);
        }
    }
}
