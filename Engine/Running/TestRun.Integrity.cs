namespace IoBench.Engine;

public sealed partial class TestRun
{
    private bool _isComparing;

    internal Action<IoIntegrityError>? IntegrityFound { get; init; }

    private IoTestResult ExecuteChecked(RunPlan plan, BackendNegotiation backend)
    {
        var integrity = new RunVerification(plan, _targets, _options.Witness, IntegrityFound);
        try
        {
            TrackCall(
                RunCallKind.Reading,
                () => plan.Targets[0].Path,
                () => integrity.RunFirstPass(CreatePassProgress(PreparationStep.Reading), _cancel.Token)
            );
            // Writes would destroy the evidence.
            if (integrity.Log.Count > 0 && _targets.Any(t => t.File?.IsWritable == true))
                return CreateDamagedResult(integrity);
            return Execute(plan, backend, integrity);
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

    private void CompareContents(IoTestResult result, RunExecution execution, RunVerification integrity)
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
                    $"The last verification pass was canceled, so IoBench did not verify the writes that the test had not read again."
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
        TrackCall(RunCallKind.Look, () => result.Path, () => ReportOutsideChanges(result, integrity));
        SetIntegrity(result, integrity);
    }

    private static void ReportOutsideChanges(IoTestResult result, RunVerification integrity)
    {
        try
        {
            integrity.ReportOutsideWrites();
            foreach (var warning in integrity.CreateChangeWarnings())
                result.AddWarning(warning);
        }
        catch (IoBenchException e)
        {
            // The storage is unavailable, so the result has already failed, or closing the file reports the same error.
            result.AddWarning(new IoWarning(WarningCodes.TargetGone, e.Text));
        }
    }

    private IoTestResult CreateDamagedResult(RunVerification integrity)
    {
        var result = ResultBuilder.CreateResult(_specification);
        result.Path = string.Join("; ", _targets.Select(t => t.Target.Path));
        result.FileSizeMB = _targets.Sum(t => t.Target.Size) / 1048576.0;
        result.Status = IoResultStatus.Failed;
        SetIntegrity(result, integrity);
        result.AddWarning(
            new IoWarning(WarningCodes.NothingMeasured, $"The test did not run, because the file was damaged before the test.")
        );
        return result;
    }

    private void SetIntegrity(IoTestResult result, RunVerification integrity)
    {
        var found = integrity.ToResult();
        result.Integrity = found;
        if (found.ErrorCount == 0)
            return;
        foreach (var target in integrity.FailedTargets)
            if (_targets[target].KeepAsEvidence(found))
                found.Evidence.Add(_targets[target].Target.Path);
        // Wrong data is the more important problem if the run also ended with an I/O error.
        var other = result is { Status: IoResultStatus.Failed, ErrorMessage: { } message } ? $" The run also failed: {message}" : "";
        var kept = found.Evidence.Count == 0 ? "" : $" The file is kept as evidence, read-only: {string.Join(", ", found.Evidence)}.";
        result.Status = IoResultStatus.Failed;
        result.SetError(
            IoBenchException.Failure(
                ErrorIds.IntegrityErrors,
                $"{result.Path}: {IntegrityMessages.Describe(found)}{kept}{other}",
                result.Path,
                advice: "Keep databases off this storage, and contact its vendor (docs/how-to/verify.md)."
            )
        );
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
