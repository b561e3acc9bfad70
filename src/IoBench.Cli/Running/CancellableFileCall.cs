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
        var work = new CancellableCall<T>(call);
        return work.Wait(s_cancelTimeout, path, warn, console.CancellationToken) ? work.Result : throw ReportAbandonedCall(console, path);
    }

    /// <summary>Like <see cref="Run{T}(CliConsole, string, Func{T})"/>, for a call that uses several files in turn.</summary>
    /// <param name="path">Returns the file in use.</param>
    /// <exception cref="OperationCanceledException">The call was abandoned.</exception>
    public static T Run<T>(CliConsole console, Func<string> path, Func<T> call)
    {
        var work = new CancellableCall<T>(call);
        return work.Wait(s_cancelTimeout, console.CancellationToken) ? work.Result : throw ReportAbandonedCall(console, path());
    }

    /// <summary>For optional work at the end of a run. Returns null if the call does not return soon after cancellation.</summary>
    public static T? RunOrSkip<T>(CliConsole console, Func<T> call)
        where T : class
    {
        var work = new CancellableCall<T>(call);
        return work.Wait(s_optionalCallTimeout, console.CancellationToken) ? work.Result : null;
    }

    /// <summary>For work that must not be abandoned, because results would be lost. If the user cancels or has canceled, names the file
    /// that hangs and waits.</summary>
    public static void RunToCompletion(CliConsole console, string path, Action save)
    {
        // Not on the calling thread either: the system can send a signal to the thread that hangs, and no handler would run.
        var work = new CancellableCall<bool>(() =>
        {
            save();
            return true;
        });
        if (!work.Wait(s_cancelTimeout, console.CancellationToken))
        {
            App.WriteError(
                console,
                $"Canceled. {path} did not respond. IoBench saves the results. To end IoBench immediately, press Ctrl+C again."
            );
            work.Wait(Timeout.InfiniteTimeSpan);
        }
        _ = work.Result;
    }

    private static OperationCanceledException ReportAbandonedCall(CliConsole console, string path)
    {
        App.WriteError(console, $"Canceled. {path} did not respond, and a check of the file is still pending.");
        return new OperationCanceledException(console.CancellationToken);
    }
}
