using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Converts expected exceptions to error records, cancels a token on Ctrl+C, and escapes control characters.</summary>
public abstract class IoCmdlet : PSCmdlet, IDisposable
{
    private readonly CancellationTokenSource _stopped = new();
    private int _rowCount;

    /// <summary>Canceled when the pipeline stops, because of Ctrl+C or the end of a job.</summary>
    protected CancellationToken StopToken => _stopped.Token;

    protected sealed override void BeginProcessing() =>
        RunAndHandleErrors(() =>
        {
            // The units of an earlier call do not apply to this call.
            ThroughputDisplay.Units = ThroughputUnits.Binary;
            Begin();
        });

    protected sealed override void ProcessRecord() => RunAndHandleErrors(Process);

    protected sealed override void EndProcessing() => RunAndHandleErrors(End);

    protected sealed override void StopProcessing() => _stopped.Cancel();

    /// <summary>Invalid parameters are reported here, before a test runs.</summary>
    protected virtual void Begin() { }

    protected virtual void Process() { }

    protected virtual void End() { }

    // Names and imported texts in a message must not control the terminal.

    protected new void WriteWarning(string text) => base.WriteWarning(SafeText.Escape(text));

    protected new void WriteVerbose(string text) => base.WriteVerbose(SafeText.Escape(text));

    protected new bool ShouldProcess(string target, string action) => base.ShouldProcess(SafeText.Escape(target), SafeText.Escape(action));

    protected bool IsBound(string parameter) => MyInvocation.BoundParameters.ContainsKey(parameter);

    protected void WriteNonTerminatingError(Exception error, object? target = null) => WriteError(ErrorRecords.Create(error, target));

    /// <summary>Writes a file to the pipeline as Get-Item does, with the properties that PowerShell adds, such as its mode.</summary>
    protected void WriteFileInfo(string path) =>
        WriteObject(InvokeProvider.Item.Get([path], force: true, literalPath: true), enumerateCollection: true);

    /// <summary>An expected exception becomes a non-terminating error. Returns false after an error.</summary>
    protected bool TryProcess(object? target, Action work)
    {
        ArgumentNullException.ThrowIfNull(work);
        Exception problem;
        try
        {
            work();
            return true;
        }
        catch (Exception error) when (ErrorRecords.IsExpected(error))
        {
            problem = error;
        }
        // Outside the try block, because writing an error throws with -ErrorAction Stop.
        WriteNonTerminatingError(problem, target);
        return false;
    }

    /// <summary>Processes an object of the pipeline. The error of a row of a table begins with the number of the row, from 1.</summary>
    private protected bool TryProcessRow(object item, Action work)
    {
        _rowCount++;
        return TryProcess(
            item,
            () =>
            {
                try
                {
                    work();
                }
                catch (IoBenchException error) when (MyInvocation.ExpectingInput && PipelineInput.IsRow(item))
                {
                    throw new IoBenchException(
                        error.ErrorId,
                        error.Kind,
                        $"Row {_rowCount}: {error.What}",
                        error.Target,
                        error,
                        error.Advice
                    );
                }
            }
        );
    }

    /// <summary>Runs work on its own thread, so that Ctrl+C ends the cmdlet even if a device does not respond.</summary>
    private protected T RunCancellable<T>(Func<T> work)
    {
        var task = Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        _ = Task.WaitAny([task], StopToken);
        return task.GetAwaiter().GetResult();
    }

    [System.Diagnostics.CodeAnalysis.DoesNotReturn]
    protected void ThrowTerminating(Exception error, object? target = null)
    {
        ThrowTerminatingError(ErrorRecords.Create(error, target));
        throw new InvalidOperationException("ThrowTerminatingError returned.");
    }

    private void RunAndHandleErrors(Action part)
    {
        try
        {
            part();
        }
        catch (OperationCanceledException) when (_stopped.IsCancellationRequested)
        {
            throw new PipelineStoppedException();
        }
        catch (Exception error) when (ErrorRecords.IsExpected(error))
        {
            ThrowTerminatingError(ErrorRecords.Create(error));
        }
    }

    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Dispose(bool disposing)
    {
        if (disposing)
            _stopped.Dispose();
    }
}
