using System.Management.Automation;

namespace IoBench.PowerShell.Cmdlets;

/// <summary>
/// What every cmdlet of the module has: trouble becomes error records with stable ids, Ctrl+C a cancelled token, and what a progress bar showed is cleared.
/// A cmdlet implements <see cref="Begin"/>, <see cref="Process"/> and <see cref="End"/>; an error that leaves one of them ends the cmdlet.
/// </summary>
public abstract class IoCmdlet : PSCmdlet, IDisposable
{
    private readonly CancellationTokenSource _stopped = new();

    /// <summary>Cancelled when the pipeline is stopped: Ctrl+C, or the end of a job.</summary>
    protected CancellationToken Stopped => _stopped.Token;

    /// <inheritdoc/>
    protected sealed override void BeginProcessing() =>
        Guard(() =>
        {
            // The units of the call before are not those of this one.
            Throughput.Units = ThroughputUnits.Binary;
            Begin();
        });

    /// <inheritdoc/>
    protected sealed override void ProcessRecord() => Guard(Process);

    /// <inheritdoc/>
    protected sealed override void EndProcessing() => Guard(End);

    /// <inheritdoc/>
    protected sealed override void StopProcessing() => _stopped.Cancel();

    /// <summary>Before the first object; what is wrong with the parameters is found here, before anything runs.</summary>
    protected virtual void Begin() { }

    /// <summary>For each object of the pipeline.</summary>
    protected virtual void Process() { }

    /// <summary>After the last object.</summary>
    protected virtual void End() { }

    // Names and imported texts in a message cannot act on the terminal it is shown on.

    /// <summary>Warns, in a line that a terminal may show.</summary>
    protected new void WriteWarning(string text) => base.WriteWarning(SafeText.Escape(text));

    /// <summary>Says more to who asks for it, in a line that a terminal may show.</summary>
    protected new void WriteVerbose(string text) => base.WriteVerbose(SafeText.Escape(text));

    /// <summary>Asks, or says what would be done, in a line that a terminal may show.</summary>
    protected new bool ShouldProcess(string target, string action) => base.ShouldProcess(SafeText.Escape(target), SafeText.Escape(action));

    /// <summary>Whether the user gave a parameter, by name or through the pipeline.</summary>
    protected bool IsGiven(string parameter) => MyInvocation.BoundParameters.ContainsKey(parameter);

    /// <summary>Writes an error that does not end the cmdlet.</summary>
    protected void WriteProblem(Exception error, object? target = null) => WriteError(ErrorRecords.From(error, target));

    /// <summary>Gives out a file as Get-Item does: with what PowerShell adds to one, such as its size and mode.</summary>
    protected void WriteFile(string path) =>
        WriteObject(InvokeProvider.Item.Get([path], force: true, literalPath: true), enumerateCollection: true);

    /// <summary>Does the work of one input; trouble is an error about that input, and the next one is done all the same.</summary>
    /// <returns>False after an error.</returns>
    protected bool Try(object? target, Action work)
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
        // Outside the try: with -ErrorAction Stop writing an error throws.
        WriteProblem(problem, target);
        return false;
    }

    /// <summary>What work finds that may take long: on a thread of its own, since a disk that does not answer holds it for ever, and Ctrl+C is heard all the same.</summary>
    private protected T Aside<T>(Func<T> work)
    {
        var task = Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        _ = Task.WaitAny([task], Stopped);
        return task.GetAwaiter().GetResult();
    }

    /// <summary>Ends the cmdlet with an error.</summary>
    [System.Diagnostics.CodeAnalysis.DoesNotReturn]
    protected void Fail(Exception error, object? target = null)
    {
        ThrowTerminatingError(ErrorRecords.From(error, target));
        throw new InvalidOperationException("ThrowTerminatingError returned.");
    }

    private void Guard(Action part)
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
            ThrowTerminatingError(ErrorRecords.From(error));
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Frees what the cmdlet holds.</summary>
    protected virtual void Dispose(bool disposing)
    {
        if (disposing)
            _stopped.Dispose();
    }
}
