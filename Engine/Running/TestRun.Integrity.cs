namespace IoBench.Engine;

public sealed partial class TestRun
{
    private bool _isComparing;

    internal Action<IoIntegrityError>? IntegrityFound { get; init; }

    private IoTestResult ExecuteChecked(RunPlan plan, RunTargets targets, BackendNegotiation backend)
    {
        var integrity = new RunIntegrity(plan, targets.Open, _options.Witness, IntegrityFound);
        try
        {
            During(
                RunCallKind.Reading,
                () => plan.Targets[0].Path,
                () => integrity.Learn(Passing(PreparationStep.Learning), _cancel.Token)
            );
            return Execute(plan, targets, backend, integrity);
        }
        catch (OperationCanceledException)
        {
            return ResultBuilder.CancelledBeforeStart(_specification);
        }
        finally
        {
            // A hanging system call returns to a worker that still uses this object.
            if (Volatile.Read(ref _execution) is null or { Control.Running: 0 })
                integrity.Dispose();
        }
    }

    /// <summary>Reads all targets again, reports errors, and keeps damaged files as evidence.</summary>
    private void Compare(IoTestResult result, RunExecution execution, RunIntegrity integrity, RunTargets targets)
    {
        try
        {
            if (execution is { Stuck: 0, Control.Error: null } && !_cancel.IsCancellationRequested)
            {
                Volatile.Write(ref _isComparing, true);
                During(RunCallKind.Reading, () => result.Path, () => integrity.Compare(Passing(PreparationStep.Comparing), _cancel.Token));
            }
        }
        catch (OperationCanceledException)
        {
            result.AddWarning(
                new IoWarning(
                    WarningCodes.NoFinalPass,
                    $"the last reading of the file was cancelled: writes that no read of the test came to were not checked."
                )
            );
        }
        catch (IoBenchException e)
        {
            result.Status = IoResultStatus.Failed;
            result.SetError(e);
        }
        finally
        {
            Volatile.Write(ref _isComparing, false);
            _preparation.End();
        }
        var found = integrity.ToResult();
        result.Integrity = found;
        if (found.ErrorCount == 0)
            return;
        foreach (var target in integrity.BadTargets)
            if (targets.Open[target].LeaveAsEvidence(found))
                found.Evidence.Add(targets.Open[target].Target.Path);
        if (result.ErrorId is not null && result.Status == IoResultStatus.Failed)
            return;
        result.Status = IoResultStatus.Failed;
        result.SetError(IoBenchException.Failure(ErrorIds.IntegrityErrors, IntegrityText.Of(found), result.Path));
    }

    private Action<string, long, long> Passing(PreparationStep step)
    {
        string? last = null;
        return (path, done, total) =>
        {
            if (last != path)
                _preparation.Begin(last = path);
            Report(step, done, total);
        };
    }
}
