using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>
/// Verifies after a crash that the durable writes of a witness file are on disk. Changes only the file's ownership marker, to keep the file
/// as evidence.
/// </summary>
public static class CrashVerification
{
    /// <param name="path">The file or device that the run wrote to.</param>
    /// <exception cref="IoBenchException">The file or the witness cannot be read, or they do not belong together.</exception>
    public static IoTestResult Run(string path, string witness, CancellationToken token = default)
    {
        using var log = WitnessLog.Open(witness, out var damage);
        var found = TargetPath.Resolve(path);
        if (found.Status is null)
            throw FileErrors.NotFound(found.Path);
        var result = new IoTestResult
        {
            Source = IoTestResult.OwnSource,
            ToolVersion = IoTestResult.OwnVersion,
            RunId = Guid.NewGuid().ToString("N"),
            Status = IoResultStatus.Complete,
            Label = "after a crash",
            ComputerName = Environment.MachineName,
            StartTime = DateTimeOffset.Now,
            Path = found.Path,
            TargetCount = 1,
        };
        if (log is null)
        {
            result.Integrity = CreateNotVerified(witness, damage);
            return result;
        }
        using var handle = PlatformFiles.Current.OpenToRead(found.Path);
        var mark = OwnershipMarker.ReadText(handle, found.Path) is { } text ? OwnershipMarker.Parse(text) : null;
        VerifyWrites(result, log, witness, handle, mark, token);
        return result;
    }

    private static void VerifyWrites(
        IoTestResult result,
        WitnessLog log,
        string witness,
        SafeFileHandle handle,
        OwnershipMarker? mark,
        CancellationToken token
    )
    {
        var path = result.Path!;
        var index = log.Header.Targets.ToList().FindIndex(t => t.Id.Length > 0 ? t.Id == mark?.Id : t.Path == path);
        if (index < 0)
            throw IoBenchException.Refused(
                "IoBench.WitnessOfOther",
                $"{path} is not one of the files in {witness}, which are {string.Join(", ", log.Header.Targets.Select(t => t.Path))}.",
                path,
                advice: "Specify one of these files."
            );
        var target = log.Header.Targets[index];
        // Otherwise, memory and time would not be limited by the size of the file.
        if (mark is not null && target.Size > mark.Size)
        {
            var reason = FormattableString.Invariant(
                $"The header of the witness is damaged: the header describes a file of {target.Size:#,##0} bytes, but the file has {mark.Size:#,##0} bytes."
            );
            result.Integrity = CreateNotVerified(witness, reason);
            return;
        }
        var judge = new CrashVerifier(handle, path, target, log.Header, mark);
        var promised = log.FindDurableWrites(index, out var count, token);
        var integrity = judge.Verify(promised, token);
        var crash = integrity.Crash!;
        crash.WitnessPath = Path.GetFullPath(witness);
        crash.WriteCount = log.WriteCount;
        crash.PromisedCount = count;
        crash.IsEnded = log.IsEnded;
        crash.NotVerifiedReason = DescribeMissingRecords(log, count);
        crash.Promise = log.Header.IsWriteThrough
            ? "each write was durable when it was acknowledged (write-through)"
            : "writes were durable when a later flush was acknowledged";
        crash.Facts = target.Facts.ToDictionary(f => f.Key, f => f.Value);
        result.FileSizeMB = target.Size / 1048576.0;
        result.Integrity = integrity;
        if (log.IsEnded)
            result.AddWarning(
                new IoWarning(
                    WarningCodes.NoCrash,
                    $"The run that {witness} recorded ended normally, so this check shows nothing about a power loss."
                )
            );
        if (integrity.ErrorCount == 0)
            return;
        result.Status = IoResultStatus.Failed;
        result.ErrorId = ErrorIds.IntegrityErrors;
        result.ErrorMessage = IntegrityMessages.Describe(integrity);
        if (mark is not null && KeepAsEvidence(handle, path, mark, integrity))
            integrity.Evidence.Add(path);
    }

    private static IoIntegrity CreateNotVerified(string witness, string? reason) =>
        new()
        {
            Crash = new IoCrashCheck { WitnessPath = Path.GetFullPath(witness), NotVerifiedReason = reason },
        };

    private static string? DescribeMissingRecords(WitnessLog log, long durable)
    {
        var missing =
            log.WriteCount == 0 ? "The witness has no records of writes."
            : durable == 0 ? "The witness has no record of a durable write of this file."
            : null;
        var parts = new[] { missing, log.Damage }.OfType<string>().ToArray();
        return parts.Length == 0 ? null : string.Join(" ", parts);
    }

    private static bool KeepAsEvidence(SafeFileHandle handle, string path, OwnershipMarker mark, IoIntegrity integrity)
    {
        try
        {
            OwnershipMarker.CloseAsEvidence(handle, path, mark, IntegrityMessages.Describe(integrity));
            return true;
        }
        catch (IoBenchException)
        {
            // A volume that is read-only after the crash preserves the evidence anyway.
            return false;
        }
    }
}
