using System.Diagnostics;
using System.Runtime.ExceptionServices;

namespace IoBench.Cli.Running;

/// <summary>Looks at files on a thread of its own: a disk that does not answer holds a call into the system for ever, and Ctrl+C must be heard all the same.</summary>
internal static class FileLook
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan s_afterCancel = TimeSpan.FromMilliseconds(200);

    /// <summary>Gives what a look finds; says which file hangs when the console is cancelled meanwhile and ends the command.</summary>
    /// <exception cref="OperationCanceledException">The look was given up.</exception>
    public static T Take<T>(CliConsole console, string path, Func<T> look) => Take(console, () => path, look);

    /// <summary>As <see cref="Take{T}(CliConsole, string, Func{T})"/> for a look that is short: says while it hangs that it does.</summary>
    /// <param name="console">Who may be cancelled.</param>
    /// <param name="path">The file.</param>
    /// <param name="warn">Told that it hangs, after 1, 5 and 15 s, and that it is back.</param>
    /// <exception cref="OperationCanceledException">The look was given up.</exception>
    public static T Take<T>(CliConsole console, string path, Func<T> look, Action<IoWarning> warn)
    {
        var (hangs, began) = (new HangWatch(), Stopwatch.GetTimestamp());
        var found = Take(console, () => path, look, () => Tell(Stopwatch.GetElapsedTime(began).TotalSeconds));
        Tell(null);
        return found;

        void Tell(double? seconds)
        {
            if (hangs.LookAt(path, seconds) is { } warning)
                warn(warning);
        }
    }

    /// <summary>As <see cref="Take{T}(CliConsole, string, Func{T})"/> for a look at several files, one after the other.</summary>
    /// <param name="console">Who may be cancelled.</param>
    /// <param name="path">The file that it is at.</param>
    /// <exception cref="OperationCanceledException">The look was given up.</exception>
    public static T Take<T>(CliConsole console, Func<string> path, Func<T> look) => Take(console, path, look, null);

    private static T Take<T>(CliConsole console, Func<string> path, Func<T> look, Action? meanwhile)
    {
        if (Try(console, s_patience, look, meanwhile, out var found))
            return found;
        App.WriteError(console, $"cancelled. {path()} did not answer: a check of it is still waiting.");
        throw new OperationCanceledException(console.Cancelled);
    }

    /// <summary>As <see cref="Take{T}(CliConsole, string, Func{T})"/> for what is only a courtesy at the end: null when there is no answer soon after the console was cancelled.</summary>
    public static T? TakeIfAnswered<T>(CliConsole console, Func<T> look)
        where T : class => Try(console, s_afterCancel, look, null, out var found) ? found : null;

    /// <summary>Does what must not be given up, since results would be lost; says which file holds it up when the console is cancelled meanwhile or was before.</summary>
    public static void Finish(CliConsole console, string path, Action save)
    {
        // Also here not on the calling thread: the system may give a signal to the very thread that hangs, and then nobody hears it.
        var work = new Work<bool>(() =>
        {
            save();
            return true;
        });
        if (!work.Wait(console, s_patience))
        {
            App.WriteError(console, $"cancelled. {path} did not answer: what was measured is still being saved. Ctrl+C again ends that.");
            work.Wait();
        }
        _ = work.Result;
    }

    private static bool Try<T>(CliConsole console, TimeSpan patience, Func<T> look, Action? meanwhile, out T found)
    {
        var work = new Work<T>(look);
        var isDone = work.Wait(console, patience, meanwhile);
        found = isDone ? work.Result : default!;
        return isDone;
    }

    /// <summary>Work on a thread of its own.</summary>
    private sealed class Work<T>
    {
        private readonly Thread _thread;
        private ExceptionDispatchInfo? _failure;
        private T _result = default!;

        public Work(Func<T> work)
        {
            _thread = new Thread(() =>
            {
                try
                {
                    _result = work();
                }
                catch (Exception e)
                {
                    // Thrown where it was asked for.
                    _failure = ExceptionDispatchInfo.Capture(e);
                }
            })
            {
                IsBackground = true,
                Name = "IoBench look",
            };
            _thread.Start();
        }

        /// <summary>What came out, once it is done.</summary>
        public T Result
        {
            get
            {
                _failure?.Throw();
                return _result;
            }
        }

        /// <summary>Waits for the end; false when it has not come so long after the console was cancelled.</summary>
        public bool Wait(CliConsole console, TimeSpan patience, Action? meanwhile = null)
        {
            for (; !_thread.Join(TimeSpan.FromMilliseconds(50)); meanwhile?.Invoke())
                if (console.Cancelled.IsCancellationRequested)
                    return _thread.Join(patience);
            return true;
        }

        /// <summary>Waits for the end, however long that takes.</summary>
        public void Wait() => _thread.Join();
    }
}
