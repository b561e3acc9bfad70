namespace IoBench.Engine;

public sealed partial class TestRun
{
    private bool _isComparing;

    internal Action<IoIntegrityError>? IntegrityFound { get; init; }

    private IoTestResult ExecuteChecked(RunPlan plan, OpenTargetSet targets, BackendNegotiation backend)
    {
        var integrity = new RunVerification(plan, targets.Targets, _options.Witness, IntegrityFound);
        try
        {
            TrackCall(
                RunCallKind.Reading,
                () => plan.Targets[0].Path,
                () => integrity.RunFirstPass(CreatePassProgress(PreparationStep.Learning), _cancel.Token)
            );
            return Execute(plan, targets, backend, integrity);
        }
        catch (OperationCanceledException)
        {
            return ResultBuilder.CreateCanceledResult(_specification);
        }
        finally
        {
            // A hanging system call returns to a worker that still uses this object.
            if (Volatile.Read(ref _execution) is null or { Control.RunningWorkers: 0 })
                integrity.Dispose();
        }
    }

    private void CompareContents(IoTestResult result, RunExecution execution, RunVerification integrity, OpenTargetSet targets)
    {
        try
        {
            if (execution is { StuckIOs: 0, Control.Error: null } && !_cancel.IsCancellationRequested)
            {
                Volatile.Write(ref _isComparing, true);
                TrackCall(
                    RunCallKind.Reading,
                    () => result.Path,
                    () => integrity.RunFinalPass(CreatePassProgress(PreparationStep.Comparing), _cancel.Token)
                );
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
        foreach (var target in integrity.FailedTargets)
            if (targets.Targets[target].KeepAsEvidence(found))
                found.Evidence.Add(targets.Targets[target].Target.Path);
        if (result.ErrorId is not null && result.Status == IoResultStatus.Failed)
            return;
        result.Status = IoResultStatus.Failed;
        result.SetError(IoBenchException.Failure(ErrorIds.IntegrityErrors, IntegrityMessages.Describe(found), result.Path));
    }

    private Action<string, long, long> CreatePassProgress(PreparationStep step)
    {
        string? last = null;
        return (path, done, total) =>
        {
            if (last != path)
            {
                last = path;
                _preparation.Begin(path);
            }
            ReportPreparation(step, done, total);
        };
    }
}
