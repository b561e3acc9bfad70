using IoBench.Engine;

namespace IoBench.Loader;

/// <summary>Makes a test file on a thread of its own, so that PowerShell can poll its progress and stop it at any time.</summary>
public sealed class FilePreparation : IDisposable
{
    private readonly CancellationTokenSource _cancellation = new();
    private readonly Thread _thread;
    private PreparedTarget? _target;
    private Exception? _error;
    private long _written;
    private long _total;

    /// <summary>Begins to check and make the file of the specification's target.</summary>
    public FilePreparation(IoTestSpecification specification, IoTargetSpecification target, TestRunOptions options)
    {
        _thread = new Thread(() =>
        {
            try
            {
                _target = TestFiles.Prepare(specification, target, options, Progress, _cancellation.Token);
            }
            // Whatever it is, it belongs to the caller's thread: GetTarget throws it there.
            catch (Exception error) when (error is not OutOfMemoryException)
            {
                _error = error;
            }
        })
        { IsBackground = true, Name = "IoBench file" };
        _thread.Start();
    }

    /// <summary>Bytes written so far.</summary>
    public long Written => Volatile.Read(ref _written);

    /// <summary>Bytes to write; 0 before that is known.</summary>
    public long Total => Volatile.Read(ref _total);

    /// <summary>Waits; true when the file is ready or has failed.</summary>
    public bool Wait(TimeSpan timeout) => _thread.Join(timeout);

    /// <summary>Stops as soon as the writes in flight are done.</summary>
    public void Cancel() => _cancellation.Cancel();

    /// <summary>The file that was made.</summary>
    /// <exception cref="IoBenchException">It was refused or could not be written.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public PreparedTarget GetTarget()
    {
        _thread.Join();
        if (_error is not null)
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(_error);
        return _target!;
    }

    /// <summary>Cancels and waits for the end.</summary>
    public void Dispose()
    {
        _cancellation.Cancel();
        _thread.Join();
        _cancellation.Dispose();
    }

    private void Progress(long written, long total)
    {
        Volatile.Write(ref _written, written);
        Volatile.Write(ref _total, total);
    }
}
