using System.Management.Automation;
using System.Threading.Channels;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

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

    protected void WriteNonTerminatingError(Exception error, object? target = null) =>
        WriteError(CmdletOutput.CreateErrorRecord(error, target));

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
        catch (Exception error) when (CmdletOutput.IsExpectedError(error))
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
        ThrowTerminatingError(CmdletOutput.CreateErrorRecord(error, target));
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
        catch (Exception error) when (CmdletOutput.IsExpectedError(error))
        {
            ThrowTerminatingError(CmdletOutput.CreateErrorRecord(error));
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

    /// <param name="rows">Options to read; an option without a parameter of the same name is not set.</param>
    /// <param name="isElsewhere">True if full paths belong to other hosts.</param>
    /// <param name="columns">Options that table columns can set; null for all settings.</param>
    private protected OptionValues ReadParameters(
        IReadOnlyList<OptionRow> rows,
        bool isElsewhere = false,
        IReadOnlyList<OptionRow>? columns = null
    )
    {
        var fullPath = PathResolver.CreatePathResolver(SessionState);
        var values = new OptionValues(rows, isElsewhere ? path => PathResolver.IsFullPath(path) ? path : fullPath(path) : fullPath)
        {
            Columns = columns ?? OptionTables.Columns,
        };
        var bound = MyInvocation.BoundParameters;
        foreach (var row in rows)
            if (bound.TryGetValue(row.Name, out var value))
                values.Set(row, DeserializedObject.Unwrap(value));
        return values;
    }

    private protected List<IoTestResult> ReadBaseline(IEnumerable<object?> values)
    {
        List<IoTestResult> results = [];
        foreach (var value in values)
        {
            if (PathResolver.GetFilePath(SessionState, value) is { } file)
                results.AddRange(ResultReader.ReadFile(file));
            else
                results.Add(DeserializedObject.ToResult(value));
        }
        return results;
    }

    /// <summary>Enough items that the threads do not wait for each other at every item, and few enough for memory.</summary>
    private const int MaxBufferedItems = 256;

    /// <summary>Reads on its own thread, a limited number of items ahead, so that Ctrl+C works if a share does not respond. An exception
    /// of the source is thrown after the items before it. After a stop, its thread ends after its current call.</summary>
    private protected IEnumerable<T> ReadAhead<T>(IEnumerable<T> source)
    {
        var stopped = StopToken;
        var channel = Channel.CreateBounded<T>(new BoundedChannelOptions(MaxBufferedItems) { SingleReader = true, SingleWriter = true });
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(stopped);
        var token = ended.Token;
        _ = Task.Factory.StartNew(
            () => FillChannel(source, channel.Writer, token),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        try
        {
            while (channel.Reader.WaitToReadAsync(stopped).AsTask().GetAwaiter().GetResult())
            {
                while (channel.Reader.TryRead(out var item))
                {
                    stopped.ThrowIfCancellationRequested();
                    yield return item;
                }
            }
        }
        finally
        {
            // Also runs if the consumer takes only the first items, or if an item ends the pipeline.
            ended.Cancel();
        }
    }

    private static void FillChannel<T>(IEnumerable<T> source, ChannelWriter<T> writer, CancellationToken ended)
    {
        try
        {
            foreach (var item in source)
            {
                if (!writer.TryWrite(item))
                    writer.WriteAsync(item, ended).AsTask().GetAwaiter().GetResult();
                if (ended.IsCancellationRequested)
                    break;
            }
            _ = writer.TryComplete();
        }
        catch (Exception error)
        {
            // The exception is thrown on the consumer's thread.
            _ = writer.TryComplete(error);
        }
    }
}
