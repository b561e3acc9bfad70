namespace IoBench.Engine;

/// <summary>
/// Verifies after a crash that the durable writes of a witness file are on disk. Changes only the file's ownership marker, to keep the file
/// as evidence.
/// </summary>
public static class CrashCheck
{
    /// <summary>Verifies a file.</summary>
    /// <param name="path">The file or device that the run wrote to.</param>
    /// <param name="witness">Path of the witness file.</param>
    /// <param name="token">Cancels the verification.</param>
    /// <returns>A result with the errors in <see cref="IoTestResult.Integrity"/>.</returns>
    /// <exception cref="IoBenchException">The file or the witness cannot be read, or they do not belong together.</exception>
    public static IoTestResult Run(string path, string witness, CancellationToken token = default)
    {
        var log = WitnessLog.Read(witness);
        var found = TargetPath.Resolve(path);
        if (found.Status is null)
            throw FileErrors.NotFound(found.Path);
        using var handle = PlatformFiles.Current.OpenToRead(found.Path);
        var mark = MarkStore.Read(handle, found.Path) is { } text ? FileMark.Parse(text) : null;
        var index = log.Head.Targets.ToList().FindIndex(t => t.Id.Length > 0 ? t.Id == mark?.Id : t.Path == found.Path);
        if (index < 0)
            throw IoBenchException.Refused(
                "IoBench.WitnessOfOther",
                $"{found.Path} is not a file that {witness} is about: that knows {string.Join(", ", log.Head.Targets.Select(t => t.Path))}.",
                found.Path,
                advice: "Name one of those."
            );
        var target = log.Head.Targets[index];
        var began = DateTimeOffset.Now;
        var judge = new CrashJudge(handle, found.Path, target, log.Head, mark);
        var promised = log.Promised(index, out var count);
        var integrity = judge.Judge(promised, token);
        var crash = integrity.Crash!;
        (crash.WitnessPath, crash.WriteCount, crash.PromisedCount, crash.IsEnded) = (
            Path.GetFullPath(witness),
            log.Writes,
            count,
            log.IsEnded
        );
        crash.Promise =
            log.Head.Promise == WritePromise.WriteThrough
                ? "each write was durable when it was acknowledged (write-through)"
                : "writes were durable when a flush after them was acknowledged";
        crash.Facts = target.Facts.ToDictionary(f => f.Key, f => f.Value);
        var result = new IoTestResult
        {
            Source = IoTestResult.OwnSource,
            ToolVersion = IoTestResult.OwnVersion,
            RunId = Guid.NewGuid().ToString("N"),
            Status = IoResultStatus.Complete,
            Label = "after a crash",
            ComputerName = Environment.MachineName,
            StartTime = began,
            Path = found.Path,
            TargetCount = 1,
            FileSizeMB = target.Size / 1048576.0,
            Integrity = integrity,
        };
        if (log.IsEnded)
            result.AddWarning(
                new IoWarning(WarningCodes.NoCrash, $"{witness} says that the run ended by itself: what survives a crash it does not show.")
            );
        if (integrity.ErrorCount == 0)
            return result;
        (result.Status, result.ErrorId, result.ErrorMessage) = (
            IoResultStatus.Failed,
            ErrorIds.IntegrityErrors,
            IntegrityText.Of(integrity)
        );
        if (mark is not null && LeaveAsEvidence(handle, found.Path, mark, integrity))
            integrity.Evidence.Add(found.Path);
        return result;
    }

    private static bool LeaveAsEvidence(
        Microsoft.Win32.SafeHandles.SafeFileHandle handle,
        string path,
        FileMark mark,
        IoIntegrity integrity
    )
    {
        try
        {
            MarkClosing.CloseAsEvidence(handle, path, mark, IntegrityText.Of(integrity));
            return true;
        }
        catch (IoBenchException)
        {
            // A volume that is read-only after the crash preserves the evidence anyway.
            return false;
        }
    }
}
