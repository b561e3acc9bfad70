using System.Diagnostics;
using System.Runtime.ExceptionServices;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>Runs file calls on their own thread, because a disk that does not respond blocks a system call forever, and Ctrl+C must still
/// work.</summary>
internal static class CancellableFileCall
{
    private static readonly TimeSpan s_cancelTimeout = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan s_optionalCallTimeout = TimeSpan.FromMilliseconds(200);

    /// <summary>If the user cancels while the call hangs, names the file and abandons the call.</summary>
    /// <exception cref="OperationCanceledException">The call was abandoned.</exception>
    public static T Run<T>(CliConsole console, string path, Func<T> call) => Run(console, () => path, call);

    /// <summary>Like <see cref="Run{T}(CliConsole, string, Func{T})"/>, with warnings while the call hangs.</summary>
    /// <param name="warn">Called after 1, 5, and 15 s, and when the call returns.</param>
    /// <exception cref="OperationCanceledException">The call was abandoned.</exception>
    public static T Run<T>(CliConsole console, string path, Func<T> call, Action<IoWarning> warn)
    {
        var hangs = new HangMonitor();
        var began = Stopwatch.GetTimestamp();
        var found = Run(console, () => path, call, () => Report(Stopwatch.GetElapsedTime(began).TotalSeconds));
        Report(null);
        return found;

        void Report(double? seconds)
        {
            if (hangs.UpdateFileCheck(path, seconds) is { } warning)
                warn(warning);
        }
    }

    /// <summary>Like <see cref="Run{T}(CliConsole, string, Func{T})"/>, for a call that uses several files in turn.</summary>
    /// <param name="path">Returns the file in use.</param>
    /// <exception cref="OperationCanceledException">The call was abandoned.</exception>
    public static T Run<T>(CliConsole console, Func<string> path, Func<T> call) => Run(console, path, call, null);

    private static T Run<T>(CliConsole console, Func<string> path, Func<T> call, Action? meanwhile)
    {
        if (TryRun(console, s_cancelTimeout, call, meanwhile, out var found))
            return found;
        App.WriteError(console, $"Canceled. {path()} did not respond, and a check of the file is still pending.");
        throw new OperationCanceledException(console.CancellationToken);
    }

    /// <summary>For optional work at the end of a run. Returns null if the call does not return soon after cancellation.</summary>
    public static T? RunOrSkip<T>(CliConsole console, Func<T> call)
        where T : class => TryRun(console, s_optionalCallTimeout, call, null, out var found) ? found : null;

    /// <summary>For work that must not be abandoned, because results would be lost. If the user cancels or has canceled, names the file
    /// that hangs and waits.</summary>
    public static void RunToCompletion(CliConsole console, string path, Action save)
    {
        // Not on the calling thread either: the system can send a signal to the thread that hangs, and no handler would run.
        var work = new BackgroundCall<bool>(() =>
        {
            save();
            return true;
        });
        if (!work.WaitForEnd(console, s_cancelTimeout))
        {
            App.WriteError(console, $"Canceled. {path} did not respond. IoBench saves the results. Ctrl+C again ends the program.");
            work.WaitForEnd();
        }
        _ = work.Result;
    }

    private static bool TryRun<T>(CliConsole console, TimeSpan timeout, Func<T> call, Action? meanwhile, out T found)
    {
        var work = new BackgroundCall<T>(call);
        var isDone = work.WaitForEnd(console, timeout, meanwhile);
        found = isDone ? work.Result : default!;
        return isDone;
    }

    private sealed class BackgroundCall<T>
    {
        private readonly Thread _thread;
        private ExceptionDispatchInfo? _failure;
        private T _result = default!;

        public BackgroundCall(Func<T> work)
        {
            _thread = new Thread(() =>
            {
                try
                {
                    _result = work();
                }
                catch (Exception e)
                {
                    // Rethrown by Result.
                    _failure = ExceptionDispatchInfo.Capture(e);
                }
            })
            {
                IsBackground = true,
                Name = "IoBench look",
            };
            _thread.Start();
        }

        /// <summary>The result of the ended call. Rethrows its exception.</summary>
        public T Result
        {
            get
            {
                _failure?.Throw();
                return _result;
            }
        }

        /// <returns>false if the call did not end within <paramref name="timeout"/> after cancellation.</returns>
        public bool WaitForEnd(CliConsole console, TimeSpan timeout, Action? meanwhile = null)
        {
            for (; !_thread.Join(TimeSpan.FromMilliseconds(50)); meanwhile?.Invoke())
                if (console.CancellationToken.IsCancellationRequested)
                    return _thread.Join(timeout);
            return true;
        }

        public void WaitForEnd() => _thread.Join();
    }
}

/// <summary>Saving to a disk that does not respond is not abandoned, but Ctrl+C names the file.</summary>
internal sealed class InterruptibleSink(CliConsole console, string path, IResultSink sink) : IResultSink
{
    public void AddAll(IReadOnlyList<IoTestResult> results) =>
        CancellableFileCall.RunToCompletion(console, path, () => sink.AddAll(results));

    public void Flush() => CancellableFileCall.RunToCompletion(console, path, sink.Flush);
}
